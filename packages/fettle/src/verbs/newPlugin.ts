import { readFile, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { loadPlugins } from "@fettle/kernel";
import { createSchemaEngine } from "@fettle/schema";
import { v1 } from "@fettle/spec-types/schemas";
import { shownPath } from "../format/shownPath.js";
import { createLog } from "../log.js";
import { openProject, type Project, requireConfig } from "../project.js";
import { addPlugin } from "../scaffold/addPlugin.js";
import { installedAt } from "../scaffold/installedAt.js";
import { shellWord } from "../scaffold/shellWord.js";
import { template } from "../scaffold/template.js";
import { writeFiles } from "../scaffold/writeFiles.js";
import type { Terminal } from "../terminal.js";
import { UsageError } from "../usageError.js";
import { visible } from "../visible.js";
import type { NewOptions } from "./newTool.js";

/**
 * `fettle new --plugin NAME`: begins a plugin with a test, and switches it on in the config. All of it or nothing.
 *
 * @throws UsageError when the name can't be a plugin's or is taken, or the config can't be added to
 */
export async function newPlugin(name: string, options: NewOptions, terminal: Terminal): Promise<number> {
  const { cwd, out, err, errPaint } = terminal;
  const project = await openProject(options, terminal, createLog(terminal, "warn"));
  const { file: config, folder } = requireConfig(project);
  await requireNewName(name, project);
  const home = resolve(cwd, options.dir ?? join(folder, "plugins"));
  const files = template("plugin", { NAME: name }).map((file) => ({ ...file, path: file.path.replace("NAME", name) }));
  const path = relative(folder, join(home, `${name}.mjs`))
    .split(sep)
    .join("/");
  const use = path.startsWith("../") ? path : `./${path}`;
  const before = await readFile(config, "utf8");
  const after = addPlugin(before, use);
  if (after === undefined) {
    throw new UsageError(
      `${visible(shownPath(config, cwd))} has a list of plugins that can't be added to: it isn't written out there.`,
      "Write the list as lines that begin with - use: and call this again.",
    );
  }
  await writeFiles(home, files, [], () => writeFile(config, after));

  const made = files.map((file) => shownPath(join(home, file.path), cwd));
  const changed = shownPath(config, cwd);
  if (options.json) {
    out(`${JSON.stringify({ plugin: name, files: made, config: changed, use }, null, 2)}\n`);
    return 0;
  }
  out([...made, changed].map((path) => `${path}\n`).join(""));
  const test = shellWord(made.find((path) => path.endsWith(".test.mjs")) ?? "");
  const steps: [string, string][] = [
    [`node --test ${test}`, "runs its test on the real kernel"],
    ["npx fettle explain TOOL", "shows where it stands around a tool"],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const words = [
    `${errPaint("good", "Begun")} ${errPaint("strong", name)}, and switched it on in ${visible(basename(config))}: it tells slow calls in the log. Change it into what you need.`,
    "",
    ...steps.map(([command, does]) => `  ${command.padEnd(width)}  ${errPaint("dim", does)}`),
    ...(installedAt(home) === undefined ? ["", "Its test imports fettle/testkit: install fettle in this project to run it."] : []),
  ];
  err(`\n${words.join("\n")}\n`);
  return 0;
}

async function requireNewName(name: string, { config, platform }: Project): Promise<void> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    throw new UsageError(
      `${visible(name)} is no name for a plugin.`,
      "Use kebab-case, at most 64 characters: lower-case letters, digits, hyphens. For example: fettle new --plugin slow-calls",
    );
  }
  // Its name is the key of its section in specs.
  const fields = Object.keys((v1.tool["properties"] ?? {}) as object);
  const ours = name === "examples" || fields.includes(name);
  if (ours)
    throw new UsageError(
      `${name} is taken: specs have a field, or a plugin of Fettle's own, of that name.`,
      "Choose another name, for example with the name of your team in front.",
    );
  const { plugins } = await loadPlugins(platform, createSchemaEngine(), config, []);
  if (plugins.some((plugin) => plugin.name === name))
    throw new UsageError(`The config has a plugin called ${name} already.`, "Choose another name, or change that one.");
}
