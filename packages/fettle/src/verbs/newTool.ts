import { readdir } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "@fettle/contract";
import { checkSpecs, type Files } from "@fettle/kernel";
import { stringify } from "yaml";
import { count } from "../format/count.js";
import { shownPath } from "../format/shownPath.js";
import { createLog } from "../log.js";
import { openProject, type Project, requireConfig } from "../project.js";
import { schemaPath } from "../scaffold/schemaPath.js";
import { shellWord } from "../scaffold/shellWord.js";
import { type NewFile, template } from "../scaffold/template.js";
import { withTypes } from "../scaffold/withTypes.js";
import { writeFiles } from "../scaffold/writeFiles.js";
import type { Terminal } from "../terminal.js";
import { fillsDefaults } from "../types/typesOnDisk.js";
import { UsageError } from "../usageError.js";
import { visible } from "../visible.js";

export interface NewOptions {
  readonly config?: string;
  readonly dir?: string;
  readonly json?: boolean;
}

/**
 * `fettle new NAME`: begins a tool. Its spec is right and its handler works, so it is served at once; texts that begin with `TODO:` are the author's to write.
 *
 * @throws UsageError when the name can't be a tool's, is taken, or the folder isn't one that the config serves
 */
export async function newTool(name: string, options: NewOptions, terminal: Terminal): Promise<number> {
  const { cwd, out, err, errPaint } = terminal;
  if (/[/\\]|\.tool\.yaml$/.test(name)) {
    throw new UsageError(`${visible(name)} is a path; a tool has a name.`, `For example: fettle new ${toName(name)} --dir ${shellWord("tools")}`);
  }
  const project = await openProject(options, terminal, createLog(terminal, "warn"));
  const { file, folder } = requireConfig(project);
  const home = servedFolder(project, options, cwd);
  const title = titleOf(name);
  const values = { NAME: name, YAML_NAME: inYaml(name), TITLE: inYaml(title), SHORT: inYaml(`${title}.`), TOOL_SCHEMA: schemaPath("tool", home, folder) };
  const files = withTypes(named(template("tool", values), name), { defaults: fillsDefaults(project.config) });
  await requireRightSpec(join(home, `${name}.tool.yaml`), files, project);
  await requireNewName(name, project, cwd);
  await requireNoHandler(name, home, cwd);
  await writeFiles(home, files);

  const made = files.map(({ path }) => shownPath(join(home, path), cwd));
  if (options.json) {
    out(`${JSON.stringify({ tool: name, files: made, config: shownPath(file, cwd) }, null, 2)}\n`);
    return 0;
  }
  out(made.map((path) => `${path}\n`).join(""));
  const todo = files.reduce((sum, { text }) => sum + (text.match(/"TODO:/g) ?? []).length, 0);
  const call = `npx fettle call ${name} '{"text": "hello"}'`;
  const steps = [
    `${errPaint("good", "Begun")} ${errPaint("strong", name)}: it is served, and gives back what it gets.`,
    `Write what it is for (${count(todo, "text")} of the spec begin with TODO:), what it takes and gives, and the work in its handler.`,
    "",
    `  ${call}  ${errPaint("dim", "calls it")}`,
    `  ${"npx fettle check".padEnd(call.length)}  ${errPaint("dim", "lists what is still to be written")}`,
    `  ${"npx fettle types".padEnd(call.length)}  ${errPaint("dim", "tells editors what the handler takes and gives, when the spec has changed")}`,
  ];
  err(`\n${steps.join("\n")}\n`);
  return 0;
}

/** The folder that the tool goes into: the one that was named, else the first of the config. */
function servedFolder({ config: { config, folder } }: Project, { dir }: NewOptions, cwd: string): string {
  const served = (config.tools ?? ["."]).map((path) => resolve(folder, path));
  if (dir === undefined) return served[0] ?? folder;
  const home = resolve(cwd, dir);
  const isServed = served.some((path) => home === path || home.startsWith(path.endsWith(sep) ? path : path + sep));
  const hidden = served.every((path) =>
    relative(path, home)
      .split(sep)
      .some((part) => /^(\.[^.].*|node_modules|dist)$/.test(part)),
  );
  if (isServed && !hidden) return home;
  throw new UsageError(
    `A tool in ${visible(shownPath(home, cwd))} would not be served: the config has tools in ${served.map((path) => visible(shownPath(path, cwd))).join(", ")}.`,
    isServed ? "Folders called node_modules or dist, or with a leading dot, are passed over." : "Leave --dir out, or add the folder to tools in the config.",
  );
}

/** Hosts fold case and separators, so a name that differs in nothing else is taken. */
async function requireNewName(name: string, project: Project, cwd: string): Promise<void> {
  const { catalog, files } = await checkSpecs({ ...project, handlers: false });
  const taken = [
    ...catalog.tools.map((tool) => ({ name: tool.name, file: tool.file })),
    ...files.map((file) => ({ name: basename(file).replace(/(@.*)?\.tool\.yaml$/, ""), file })),
  ];
  const fold = (text: string): string => text.toLowerCase().replace(/[-_./]/g, "");
  const same = taken.find((other) => other.name === name) ?? taken.find((other) => fold(other.name) === fold(name));
  if (!same) return;
  const at = visible(shownPath(same.file, cwd));
  if (same.name === name) throw new UsageError(`There is a tool called ${visible(name)} already: ${at}`, "Choose another name, or change that one.");
  throw new UsageError(
    `${visible(name)} is too near to ${visible(same.name)}: ${at}`,
    "Hosts fold case, - and _ away, and could not tell the two apart. Choose another name.",
  );
}

/** Has the kernel check the spec before it is written: what it refuses is the name. */
async function requireRightSpec(file: string, files: readonly NewFile[], { config, platform }: Project): Promise<void> {
  const text = new TextEncoder().encode(files.find(({ path }) => path.endsWith(".tool.yaml"))?.text);
  const layered: Files = {
    ...platform.files,
    read: async (path) => (path === file ? text : platform.files.read(path)),
    size: async (path) => (path === file ? text.length : platform.files.size(path)),
  };
  const { diagnostics } = await checkSpecs({ config, platform: { ...platform, files: layered }, paths: [file], handlers: false });
  const wrong = diagnostics.find((diagnostic) => diagnostic.file === file && diagnostic.severity === "error");
  if (wrong) throw new UsageError(nameFault(wrong), wrong.hint ?? "A name is a letter or _, then letters, digits, _ and -; at most 64 in all.");
}

function nameFault({ message }: Diagnostic): string {
  return `That is no name for a tool: ${visible(message)}`;
}

async function requireNoHandler(name: string, home: string, cwd: string): Promise<void> {
  const there = (await readdir(home).catch(() => [])).find((entry) => /^\.handler\.m?[jt]s$/.test(entry.slice(name.length)) && entry.startsWith(name));
  if (there !== undefined)
    throw new UsageError(`There is ${visible(shownPath(join(home, there), cwd))} already.`, "Choose another name, or move that file away.");
}

function named(files: readonly NewFile[], name: string): readonly NewFile[] {
  return files.map((file) => ({ ...file, path: file.path.replace("NAME", name) }));
}

/** A text as it stands in YAML: `true` needs quotes. */
function inYaml(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

/** `list_orders` and `listOrders` are "List orders". */
function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase();
  return words === "" ? name : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** A name near to what was given as a path. */
function toName(path: string): string {
  const name = basename(path.replaceAll("\\", "/"))
    .replace(/\..*$/, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_");
  return /^[A-Za-z_]/.test(name) ? name : "list_orders";
}
