import { lstat, readdir } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { shownPath } from "../format/shownPath.js";
import { type Installation, installation, linksTo } from "../scaffold/installation.js";
import { projectName } from "../scaffold/projectName.js";
import { schemaPath } from "../scaffold/schemaPath.js";
import { shellWord } from "../scaffold/shellWord.js";
import { template } from "../scaffold/template.js";
import { withTypes } from "../scaffold/withTypes.js";
import { writeFiles } from "../scaffold/writeFiles.js";
import type { Terminal } from "../terminal.js";
import { UsageError } from "../usageError.js";
import { visible } from "../visible.js";
import { entriesText, projectEntries } from "./hosts.js";

export interface InitOptions {
  readonly name?: string;
  readonly json?: boolean;
}

/** What may be in a folder before there is anything: files of version control, of editors and of code hosts, and what says whose it is. */
const HARMLESS = [
  /^\.(git|gitattributes|gitignore|gitlab-ci\.yml|github|hg|jj|idea|vscode|editorconfig|npmrc|nvmrc|node-version|tool-versions|DS_Store)$/,
  /^Thumbs\.db$/,
  /^(readme|licen[cs]e|copying|notice|changelog|code_of_conduct|codeowners|security|authors)(\..*)?$/i,
];
const MOST_NAMES = 5;

/**
 * `fettle init`: makes a project that serves a tool and passes its own tests. All of it or nothing; what is there stays.
 *
 * @param dir the folder, made if it isn't there. Default the working folder
 * @throws UsageError when the folder holds something, can't be written, or gives no name
 */
export async function init(dir: string | undefined, options: InitOptions, terminal: Terminal): Promise<number> {
  const folder = resolve(terminal.cwd, dir ?? ".");
  requireUsable(folder, dir);
  await requireRoom(folder, terminal.cwd);
  const name = projectName(basename(folder), options.name, dir);
  const source = installation();
  const values = {
    NAME: name,
    VERSION: source.version,
    TOOL_SCHEMA: schemaPath("tool", join(folder, "tools"), folder),
    CONFIG_SCHEMA: schemaPath("config", folder, folder),
  };
  const all = withTypes(template("project", values), { defaults: true });
  const there = await Promise.all(all.map(({ path }) => exists(join(folder, path))));
  const files = all.filter((_, i) => !there[i]);
  const kept = all.filter((_, i) => there[i]).map(({ path }) => path);
  await writeFiles(folder, files, source.checkout ? linksTo(source) : []);

  const made: Made = { folder, name, files: files.map(({ path }) => path), kept, source };
  const entries = projectEntries({ name, file: join(folder, "fettle.config.yaml"), program: join(folder, "node_modules/fettle") });
  if (options.json) {
    const next = nextSteps(made, terminal.cwd).map(([command]) => command);
    const linked = source.checkout ? source.folder : null;
    terminal.out(`${JSON.stringify({ folder, name, files: made.files, kept, linked, next, hosts: entries }, null, 2)}\n`);
    return 0;
  }
  terminal.err(madeText(made, terminal));
  terminal.out(entriesText(entries, terminal));
  terminal.err(nextText(made, terminal));
  return 0;
}

interface Made {
  readonly folder: string;
  readonly name: string;
  readonly files: readonly string[];
  readonly kept: readonly string[];
  readonly source: Installation;
}

/** Refuses what is no name of a folder, and one below which Node imports nothing. */
function requireUsable(folder: string, dir: string | undefined): void {
  if (dir === "") throw new UsageError("The name of the folder is empty.", "Name a folder, or leave the name out to take this one: fettle init my-tools");
  // Where it doesn't separate folders it is a character like others, but not in the address of a module.
  if (sep !== "\\" && folder.includes("\\")) {
    throw new UsageError(
      `${visible(folder)} has a backslash in it, and Node imports no module from such a folder.`,
      "Choose a folder without one: fettle init my-tools",
    );
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  EACCES: "this user may not read it.",
  EPERM: "this user may not read it.",
  ELOOP: "it is a link that leads back to itself.",
  ENAMETOOLONG: "the name is too long.",
};

/** Refuses a folder that holds anything but what is harmless. */
async function requireRoom(folder: string, cwd: string): Promise<void> {
  const shown = visible(shownPath(folder, cwd));
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return nothing(folder, shown);
    if (error.code === "ENOTDIR") throw new UsageError(`${shown} is a file, or below one.`, "Name a folder: fettle init my-tools");
    const why = (error.code !== undefined && UNREADABLE[error.code]) || visible(error.message);
    throw new UsageError(`${shown} can't be read: ${why}`, "Name a folder that this user may read and write.");
  });
  const inTheWay = names.filter((name) => !HARMLESS.some((pattern) => pattern.test(name))).sort();
  if (inTheWay.length === 0) return;
  const more = inTheWay.length > MOST_NAMES ? ` and ${inTheWay.length - MOST_NAMES} more` : "";
  throw new UsageError(
    `${shown === "." ? "This folder" : shown} isn't empty. In the way: ${inTheWay.slice(0, MOST_NAMES).map(visible).join(", ")}${more}`,
    inTheWay.includes("package.json") && !inTheWay.includes("fettle.config.yaml")
      ? "A project that is there needs no init: write a fettle.config.yaml, as docs/development.md shows it, and begin a tool with fettle new NAME. Nothing was made."
      : "Name a new or empty folder: fettle init my-tools. A README, a licence and Git's files may be in it. Nothing was made.",
  );
}

/** There is no such folder, and it can be made: it isn't a link that leads nowhere. */
async function nothing(folder: string, shown: string): Promise<readonly string[]> {
  if (!(await exists(folder))) return [];
  throw new UsageError(`${shown} is a link that leads nowhere.`, "Take the link away, or name another folder: fettle init my-tools");
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

const ABOUT: Readonly<Record<string, string>> = {
  "fettle.config.yaml": "what is served, and with which plugins",
  "tools/convert_unit.tool.yaml": "a tool to read and replace: its spec",
  "tools/convert_unit.types.ts": "what the handler takes and gives, for editors; made by npm run types",
  "tools/convert_unit.handler.mjs": "the work behind it",
  "test/examples.test.mjs": "runs the examples of all specs",
  ".vscode/extensions.json": "proposes the YAML extension, which completes and checks specs",
};

function nextSteps({ folder, source }: Made, cwd: string): (readonly [command: string, does: string])[] {
  const steps: [string, string][] = [
    ["npm test", "checks the specs and runs their examples"],
    [`npx fettle call convert_unit '{"value": 5, "from": "km", "to": "mi"}'`, "calls the tool"],
    ["npx fettle new list_orders", "begins a tool of your own"],
    ["npm run dev", "serves the tools over HTTP, and at once what you save"],
  ];
  if (!source.checkout) steps.unshift(["npm install", "installs fettle"]);
  if (folder !== cwd) steps.unshift([`cd ${shellWord(shownPath(folder, cwd))}`, ""]);
  return steps;
}

function madeText(made: Made, { errPaint }: Terminal): string {
  const { folder, name, files, kept, source } = made;
  const width = Math.max(...files.map((file) => file.length));
  const lines = [
    `${errPaint("good", "Made")} ${errPaint("strong", name)} in ${visible(folder)}`,
    ...files.map((file) => `  ${file.padEnd(width)}  ${errPaint("dim", ABOUT[file] ?? "")}`.trimEnd()),
  ];
  if (kept.length > 0) lines.push(`Left as it was: ${kept.join(", ")}`);
  if (kept.includes(".gitignore")) lines.push("See that .gitignore has node_modules/ and .fettle/.");
  if (source.checkout) {
    lines.push(
      "",
      `node_modules/fettle is a link to ${visible(source.folder)}, since a clone of the repository ran this.`,
      "So nothing needs to be installed here, and the project stops working when that folder goes.",
    );
  }
  lines.push(
    "",
    `${errPaint("strong", "To use the tools in a host")}, add its entry. npx fettle hosts prints them again, for example when this folder has moved.`,
  );
  return `${lines.join("\n")}\n\n`;
}

function nextText(made: Made, { cwd, errPaint }: Terminal): string {
  const steps = nextSteps(made, cwd);
  const width = Math.max(...steps.map(([command]) => command.length));
  return `\n${errPaint("strong", "Next")}\n${steps.map(([command, does]) => `  ${command.padEnd(width)}  ${errPaint("dim", does)}`.trimEnd()).join("\n")}\n`;
}
