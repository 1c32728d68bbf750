import { type CodeTable, defineCodes } from "../codes.js";

type NetworkKey = "refused" | "connection-lost" | "timeout" | "host-not-found" | "lookup-failed" | "unreachable" | "untrusted-certificate";

/** Why a service couldn't be reached. The messages go out as why_it_happened, the hints as how_to_fix. */
export const networkCodes: CodeTable<NetworkKey> = defineCodes("network", {
  refused: {
    type: "external_error",
    message: "Nothing accepts connections at the service's address: it is down, or the address is wrong.",
    hint: "Try again in a minute; if it stays so, tell the person who runs the server.",
  },
  "connection-lost": {
    type: "external_error",
    message: "The connection to the service broke before its answer was complete.",
    hint: "If the call changes something, look whether it did before you send it again.",
  },
  timeout: {
    type: "external_error",
    message: "The service did not answer in time.",
    hint: "Ask for less at once, or try later; if the call changes something, look first whether it did.",
  },
  "host-not-found": {
    type: "external_error",
    message: "The service's host name doesn't exist.",
    hint: "Check the host name where it is an argument; else tell the person who runs the server.",
  },
  "lookup-failed": { type: "external_error", message: "The service's host name could not be looked up at the moment.", hint: "Try again in a minute." },
  unreachable: {
    type: "external_error",
    message: "No way through the network leads to the service.",
    hint: "Try again in a minute; if it stays so, tell the person who runs the server.",
  },
  "untrusted-certificate": {
    type: "external_error",
    message: "The service's TLS certificate is not trusted: expired, self-signed, or made for another name.",
    hint: "Tell the person who runs the server; the same call fails until the certificate is mended.",
  },
});

/** The keys by the codes that Node's network errors and those of its fetch carry. */
export const BY_NETWORK_ERROR: Readonly<Record<string, NetworkKey>> = {
  ECONNREFUSED: "refused",
  ECONNRESET: "connection-lost",
  ECONNABORTED: "connection-lost",
  EPIPE: "connection-lost",
  UND_ERR_SOCKET: "connection-lost",
  ETIMEDOUT: "timeout",
  ESOCKETTIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  ENOTFOUND: "host-not-found",
  EAI_AGAIN: "lookup-failed",
  EHOSTUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETUNREACH: "unreachable",
  ENETDOWN: "unreachable",
  CERT_HAS_EXPIRED: "untrusted-certificate",
  CERT_NOT_YET_VALID: "untrusted-certificate",
  CERT_REVOKED: "untrusted-certificate",
  CERT_UNTRUSTED: "untrusted-certificate",
  DEPTH_ZERO_SELF_SIGNED_CERT: "untrusted-certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted-certificate",
  UNABLE_TO_GET_ISSUER_CERT: "untrusted-certificate",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted-certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "untrusted-certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "untrusted-certificate",
};

/** Keys whose cause stays: the same call fails again. */
export const LASTING: ReadonlySet<string> = new Set(["host-not-found", "untrusted-certificate"]);
