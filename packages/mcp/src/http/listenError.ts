import { mcpCodes } from "../mcpCodes.js";

/** Where hosts and ports are set, for those who use the command line and for those who embed. */
const WHERE = "--host and --port on the command line, http.host and http.port in the config, or listen({ host, port }) in code";

/** Why a server couldn't listen. */
export class ListenError extends Error {
  /** `mcp/port-in-use`, `mcp/port-forbidden`, `mcp/address-unknown`, `mcp/listens-already` or `mcp/listen-failed`. */
  readonly code: string;
  /** What to do. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ListenError";
    this.code = code;
    this.hint = hint;
  }
}

/** A server listens once. */
export function listenTwice(state: "listening" | "closed"): ListenError {
  const message = state === "closed" ? "The server was closed, and doesn't listen again." : "The server listens already.";
  return new ListenError(mcpCodes.code("listens-already"), message, "Make another with createHttpServer; one kernel may have several.");
}

/** Says in words why listening failed. */
export function listenError(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  const make = (key: Parameters<typeof mcpCodes.code>[0], message: string, hint: string): ListenError =>
    new ListenError(mcpCodes.code(key), message, hint, error);
  switch (error.code) {
    case "EADDRINUSE":
      return make(
        "port-in-use",
        `Port ${port} on ${host} is in use by another program.`,
        `Stop that program, or choose another port, for example ${port + 1}, or 0 for any free one: ${WHERE}.`,
      );
    case "EACCES":
      return make(
        "port-forbidden",
        `Port ${port} on ${host} may not be used: ports below 1024 are for privileged users.`,
        `Choose a port above 1023, for example 3000: ${WHERE}.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return make(
        "address-unknown",
        `${host} is not an address of this machine.`,
        `Use 127.0.0.1 for this machine only, or 0.0.0.0 for all of its addresses: ${WHERE}.`,
      );
    case "ERR_SOCKET_BAD_PORT":
      return make("listen-failed", `${port} is no port: one is a whole number from 0 to 65535.`, "Choose a port above 1023, or 0 for any free one.");
    default:
      return make("listen-failed", `The server could not listen on ${host}, port ${port} (${error.code ?? error.name}).`, "Check the host and port.");
  }
}
