import { register } from "node:module";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";

/** The query that makes another module of the same file. Node caches modules by their URL, and forgets none. */
const QUERY = "fettle";

/** One module that imported another, by path. */
export interface Import {
  readonly importer: string;
  readonly file: string;
}

/** What is known of the modules that are imported with versions. There is one for the process, as its hooks are. */
export interface ReloadHooks {
  /** From now on files that have no version of their own are imported at a new one, which is given. */
  renewAll(): number;
  /** From now on a file is imported at a new version, which is given. */
  renew(file: string): number;
  /** Who imported whom since this was asked last. */
  takeImports(): readonly Import[];
  /** The URL to import a file by. */
  urlOf(fileUrl: string, version: number): string;
}

// Runs on Node's thread for hooks (Node 20 has no others), so it is told of versions by messages. Whatever a versioned module imports by a relative
// path is versioned too; packages, which are imported by their names, are not: their state is their own. jiti, which runs TypeScript, resolves by itself.
const HOOKS = `
import { fileURLToPath } from "node:url";
import { receiveMessageOnPort } from "node:worker_threads";
let port;
let packages;
let usual = 0;
const versions = new Map();
export function initialize(data) {
  port = data.port;
  packages = data.packages;
}
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const parent = context.parentURL ?? "";
  if (!found.url.startsWith("file:") || found.url.includes("?") || found.url.includes("/node_modules/")) return found;
  const fromVersioned = parent.includes("?${QUERY}=");
  if (!(fromVersioned && /^(\\.{0,2}\\/|file:)/.test(specifier)) && !/\\/jiti\\/lib\\/jiti[a-z-]*\\.mjs$/.test(parent)) return found;
  if (packages.some((folder) => found.url.startsWith(folder))) return found;
  for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
    const { file, version } = got.message;
    if (file === undefined) usual = version;
    else versions.set(file, version);
  }
  const file = fileURLToPath(found.url);
  if (fromVersioned) port.postMessage({ importer: fileURLToPath(parent.replace(/\\?.*$/, "")), file });
  else port.postMessage({ importer: "", file });
  return { ...found, url: found.url + "?${QUERY}=" + (versions.get(file) ?? usual) };
}
`;

let hooks: ReloadHooks | undefined;

/**
 * Switches the hooks on, for the rest of the process.
 *
 * @param packages URLs of folders that are packages wherever they lie, with a slash at the end: Fettle's own, in a work tree
 */
export function reloadHooks(packages: readonly string[]): ReloadHooks {
  hooks ??= switchOn(packages);
  return hooks;
}

function switchOn(packages: readonly string[]): ReloadHooks {
  const { port1, port2 } = new MessageChannel();
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, import.meta.url, { data: { port: port2, packages }, transferList: [port2] });
  port1.unref();
  let last = 0;
  const tell = (message: { readonly file?: string; readonly version: number }): number => {
    port1.postMessage(message);
    return message.version;
  };
  return {
    renewAll: () => tell({ version: ++last }),
    renew: (file) => tell({ file, version: ++last }),
    takeImports: () => drain(port1),
    urlOf: (fileUrl, version) => `${fileUrl}?${QUERY}=${version}`,
  };
}

function drain(port: MessagePort): readonly Import[] {
  const taken: Import[] = [];
  for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) taken.push(got.message as Import);
  return taken;
}
