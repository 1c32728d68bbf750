import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Cache } from "../platform.js";

/** A cache in files of this machine. */
export function nodeCache(version: Cache["version"]): Cache {
  return {
    version,
    hash: (text) => createHash("sha256").update(text).digest("base64"),
    read: (path) => readFile(path, "utf8").catch(() => undefined),
    async write(path, text) {
      const folder = dirname(path);
      const own = join(folder, `${randomUUID()}.tmp`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, ".gitignore"), "*\n");
        await writeFile(own, text);
        await rename(own, path);
      } catch {
        await rm(own, { force: true }).catch(() => {});
      }
    },
  };
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
