import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Tool } from "@fettle/contract";
import type { LoadedConfig } from "@fettle/kernel";
import { isGenerated, saysTheSame, typesFileOf, typesFileText } from "./typesFile.js";

/** A types file as it is, and as it should be. */
export interface TypesFile {
  /** Absolute path. */
  readonly file: string;
  /** Absolute path of the spec that it is or was made from. */
  readonly spec: string;
  /** `left_over`: its spec is gone. `foreign`: somebody wrote it, or it can't be read, so it is left as it is. */
  readonly state: "current" | "stale" | "missing" | "left_over" | "foreign";
  /** What it should hold; undefined where it shouldn't be. */
  readonly text: string | undefined;
}

const END = /\.types\.ts$/;

/**
 * Compares the types files of a project with its tools. Those of specs that can't be read now are passed over.
 *
 * @param tools the tools whose specs are fine
 */
export async function findTypesFiles(config: LoadedConfig, tools: readonly Tool[]): Promise<readonly TypesFile[]> {
  const roots = rootsOf(config);
  const isOurs = (file: string): boolean => roots.some((root) => file.startsWith(root.endsWith(sep) ? root : `${root}${sep}`));
  const defaults = fillsDefaults(config);
  const wanted = tools
    .filter(({ file }) => isOurs(file))
    .map(async (tool): Promise<TypesFile> => {
      const file = typesFileOf(tool.file);
      const text = typesFileText(tool, { defaults });
      const found = await readFile(file, "utf8").catch(missing);
      return { file, spec: tool.file, state: stateOf(found, text), text };
    });
  const left = (await generatedBelow(roots)).map((file): TypesFile => ({ file, spec: file.replace(END, ".tool.yaml"), state: "left_over", text: undefined }));
  return [...(await Promise.all(wanted)), ...left.filter(({ spec }) => !existsSync(spec))].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Makes a file what it should be, whole or not at all. */
export async function mendTypesFile({ file, state, text }: TypesFile): Promise<void> {
  if (state === "left_over") return rm(file, { force: true });
  if (text === undefined || (state !== "stale" && state !== "missing")) return;
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
}

/** The folders that a project's specs are in. Absolute. */
export function rootsOf({ config, folder }: LoadedConfig): readonly string[] {
  return (config.tools ?? ["."]).map((path) => resolve(folder, path));
}

/** Whether the project has the plugin that fills in defaults before a handler runs. */
export function fillsDefaults({ config }: LoadedConfig): boolean {
  return (config.plugins ?? []).some(({ use }) => use === "@fettle/plugin-validation");
}

/** @param found undefined where there is no such file, null where it can't be read */
function stateOf(found: string | undefined | null, text: string): TypesFile["state"] {
  if (found === undefined) return "missing";
  if (found === null || !isGenerated(found)) return "foreign";
  return saysTheSame(found, text) ? "current" : "stale";
}

/** Undefined where there is no such file, null where it can't be read. */
function missing(error: unknown): undefined | null {
  return error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : null;
}

async function generatedBelow(roots: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules" && entry.name !== "dist") await search(path);
      else if (entry.isFile() && END.test(entry.name) && isGenerated(await readFile(path, "utf8").catch(() => ""))) found.add(path);
    }
  };
  for (const root of roots) await search(root);
  return [...found];
}
