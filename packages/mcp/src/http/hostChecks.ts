import { isIP } from "node:net";

/** Which Host and Origin headers are served: against DNS rebinding, where a web page reaches a server on its reader's machine. */
export class HostChecks {
  readonly #hosts: string[];
  readonly #origins: string[];

  /** @param listening the address that is listened on: whoever binds to one address also means to be called by it */
  constructor(allowedHosts: readonly string[], allowedOrigins: readonly string[], listening?: string) {
    const own = listening === undefined || ANY_ADDRESS.has(listening) ? [] : [bracketed(listening)];
    this.#hosts = [...LOCAL, ...allowedHosts.map(bracketed), ...own];
    this.#origins = [...LOCAL, ...allowedOrigins.map(bracketed), ...own];
  }

  /** Why a request isn't served; undefined when it is. */
  refusal(host: string | null | undefined, origin: string | null | undefined): string | undefined {
    return this.hostRefusal(host) ?? this.originRefusal(origin);
  }

  hostRefusal(host: string | null | undefined): string | undefined {
    const name = host ? urlOf(`http://${withoutDot(host)}`)?.hostname : undefined;
    if (name !== undefined && this.#hosts.includes(name)) return undefined;
    return `The Host header ${host ? `names a host that is not served here` : "is missing"}. To serve under another name, add it to http.allowed_hosts in fettle.config.yaml.`;
  }

  originRefusal(origin: string | null | undefined): string | undefined {
    // Only browsers send one.
    if (!origin || this.#allows(urlOf(withoutDot(origin)))) return undefined;
    return "The Origin header names a site that is not allowed here. To allow it, add its host name to http.allowed_origins in fettle.config.yaml.";
  }

  /** A browser extension has a random name on each machine, so that all of a scheme may be allowed: `moz-extension://*`. */
  #allows(origin: URL | undefined): boolean {
    if (origin === undefined || origin.hostname === "") return false;
    const { protocol, hostname } = origin;
    const ofScheme = protocol !== "http:" && protocol !== "https:" && this.#origins.includes(`${protocol}//*`);
    return ofScheme || this.#origins.includes(hostname);
  }
}

const LOCAL: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const ANY_ADDRESS = new Set(["0.0.0.0", "::", ""]);

/** A host name as URLs have it: in lower case, IPv6 in brackets, without the dot that may end a name. */
function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host.toLowerCase()}]` : withoutDot(host.toLowerCase());
}

/** A host or an origin without the one dot that ends a fully qualified name: `localhost.:3000` is `localhost:3000`. Addresses are parsed so anyway. */
function withoutDot(host: string): string {
  return host.replace(/(?<=[\w-])\.(?=(?::\d*)?$)/, "");
}
