import { isIP } from "node:net";
import { localhostAllowedHostnames, localhostAllowedOrigins, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

/** Which Host and Origin headers are served: against DNS rebinding, where a web page reaches a server on its reader's machine. */
export class HostChecks {
  readonly #hosts: string[];
  readonly #origins: string[];

  /** @param listening the address that is listened on: whoever binds to one address also means to be called by it */
  constructor(allowedHosts: readonly string[], allowedOrigins: readonly string[], listening?: string) {
    const own = listening === undefined || ANY_ADDRESS.has(listening) ? [] : [bracketed(listening)];
    this.#hosts = [...localhostAllowedHostnames(), ...allowedHosts.map(bracketed), ...own];
    this.#origins = [...localhostAllowedOrigins(), ...allowedOrigins.map(bracketed), ...own];
  }

  /** Why a request isn't served; undefined when it is. */
  refusal(host: string | null | undefined, origin: string | null | undefined): string | undefined {
    return this.hostRefusal(host) ?? this.originRefusal(origin);
  }

  hostRefusal(host: string | null | undefined): string | undefined {
    if (validateHostHeader(withoutDot(host), this.#hosts).ok) return undefined;
    return `The Host header ${host ? `names a host that is not served here` : "is missing"}. To serve under another name, add it to http.allowed_hosts in fettle.config.yaml.`;
  }

  originRefusal(origin: string | null | undefined): string | undefined {
    if (validateOriginHeader(withoutDot(origin), this.#origins).ok) return undefined;
    return "The Origin header names a site that is not allowed here. To allow it, add its host name to http.allowed_origins in fettle.config.yaml.";
  }
}

const ANY_ADDRESS = new Set(["0.0.0.0", "::", ""]);

/** A host name as URLs have it: in lower case, IPv6 in brackets, without the dot that may end a name. */
function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host.toLowerCase()}]` : withoutDot(host.toLowerCase());
}

/** A host or an origin without the one dot that ends a fully qualified name: `localhost.:3000` is `localhost:3000`. Addresses are parsed so anyway. */
function withoutDot<T extends string | null | undefined>(host: T): T | string {
  return typeof host === "string" ? host.replace(/(?<=[\w-])\.(?=(?::\d*)?$)/, "") : host;
}
