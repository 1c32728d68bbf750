import { createHash, hash, randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Cache } from "../platform.js";
import { nodeFiles } from "./nodeFiles.js";

/** Most bytes of a cache that are read: some 80,000 specs. */
const MOST_BYTES = 256 * 1024 * 1024;

/** A cache in files of this machine. */
export function nodeCache(version: Cache["version"]): Cache {
  return {
    version,
    hash: (text) => hash("sha256", text, "base64"),
    read: (path) => readText(path).catch(() => undefined),
    async write(path, text) {
      const folder = dirname(path);
      const own = join(folder, `${randomUUID()}.tmp`);
      try {
        for (const each of [dirname(folder), folder]) if (!(await ownFolder(each))) return;
        await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => {});
        await writeFile(own, text, { flag: "wx" });
        await rename(own, path);
      } catch {
        await rm(own, { force: true }).catch(() => {});
      }
    },
  };
}

/** The text of a regular file of bounded size. A pipe in its place would never end. */
async function readText(path: string): Promise<string | undefined> {
  const size = await nodeFiles.size(path);
  if (size === undefined || size > MOST_BYTES) return undefined;
  return new TextDecoder().decode(await nodeFiles.read(path, MOST_BYTES));
}

/** Whether there is a folder, made if there was nothing. A link may lead out of the project, where nothing of ours belongs. */
async function ownFolder(path: string): Promise<boolean> {
  await mkdir(path).catch(() => {});
  return (await lstat(path)).isDirectory();
}

/** Our own code that says what a spec means, the libraries that it asks, and what has their versions. */
const CODE = ["@fettle/kernel", "@fettle/schema", "@fettle/contract", "@fettle/spec-types/schemas", "yaml/package.json", "semver/package.json"];
const CODE_OF_SCHEMA = ["re2js", "ajv-formats/dist/formats.js"];

/** The version of all code that reads and checks a spec, by its content; undefined where it runs from its TypeScript sources, which change as they like. */
export async function codeVersion(): Promise<string | undefined> {
  if (!import.meta.url.endsWith(".js")) return undefined;
  try {
    const { resolve } = createRequire(import.meta.url);
    const fromSchema = createRequire(resolve("@fettle/schema"));
    const files = [...CODE.map((name) => resolve(name)), ...CODE_OF_SCHEMA.map((name) => fromSchema.resolve(name))];
    const hash = createHash("sha256").update(process.version);
    for (const content of await Promise.all(files.map((file) => readFile(file)))) hash.update(content);
    return hash.digest("base64");
  } catch {
    return undefined;
  }
}
