import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command, Plugin } from "@fettle/contract";
import type { Terminal } from "../terminal.js";
import { UsageError } from "../usageError.js";
import { visible } from "../visible.js";

/** A verb that a plugin brings, ready to run with the arguments that were given. */
export interface PluginVerb extends Pick<Command, "name" | "summary"> {
  /** Sets the plugins up, runs the command and disposes of them. Resolves to the exit code. */
  run(): Promise<number>;
}

/** Who brings a command. */
interface Brought {
  readonly plugin: string;
  readonly command: Command;
}

/**
 * The verbs of the plugins that the config switches on. To find them plugins are loaded, but not set up, and no handler is; a project that can't be loaded
 * has none, so that what is said is about the verb. A verb that can't be one is left out with a warning that names its plugin.
 *
 * @param args the arguments without the verb; `--config FILE` is taken out, the rest is the command's
 * @param isTaken whether a verb of that name is there already
 */
export async function pluginVerbs(args: readonly string[], isTaken: (verb: string) => boolean, terminal: Terminal): Promise<readonly PluginVerb[]> {
  const { config, rest } = takeConfig(args);
  // Without a config only the validation plugin is on, and it has no verbs: nothing is loaded for a slip of the finger.
  if (config === undefined && !existsSync(join(terminal.cwd, "fettle.config.yaml"))) return [];
  const [{ createKernel, loadPlugins }, { createSchemaEngine }, { createLog }, { openProject }] = await Promise.all([
    import("@fettle/kernel"),
    import("@fettle/schema"),
    import("../log.js"),
    import("../project.js"),
  ]);
  const log = createLog(terminal, "warn");
  const project = await openProject(config === undefined ? {} : { config }, terminal, log).catch(() => undefined);
  if (!project) return [];
  const { plugins } = await loadPlugins(project.platform, createSchemaEngine(), project.config, []);
  return usableCommands(plugins, isTaken, terminal).map(({ plugin, command: { name, summary } }) => ({
    name,
    summary,
    async run() {
      const kernel = await createKernel(project);
      try {
        // The set-up plugins' own: a command may use what set-up made.
        const command = kernel.commands.find((other) => isCommand(other) && other.name === name);
        const options = { json: rest.includes("--json"), ...(config !== undefined && { config }) };
        const io = { out: terminal.out, err: terminal.err, options };
        return command === undefined ? 2 : await exitCodeOf({ plugin, command }, () => command.run(rest, io), terminal);
      } finally {
        await kernel.close();
      }
    },
  }));
}

function usableCommands(plugins: readonly Plugin<unknown>[], isTaken: (verb: string) => boolean, { err, errPaint }: Terminal): readonly Brought[] {
  const found: Brought[] = [];
  for (const { plugin, command } of plugins.flatMap(commandsOf)) {
    const other = isCommand(command) ? found.find(({ command: { name } }) => name === command.name) : undefined;
    if (!isCommand(command)) warn(plugin, "a verb that can't be used: it needs a name in kebab-case, a summary in one line, and run");
    else if (isTaken(command.name)) warn(plugin, `a verb called ${command.name}, and fettle has one of that name, which runs in its place`);
    else if (other) warn(plugin, `a verb called ${command.name}, and so does the plugin ${other.plugin}, whose verb runs`);
    else found.push({ plugin, command });
  }
  return found;

  function warn(plugin: string, what: string): void {
    err(`${errPaint("warning", "warning:")} The plugin ${plugin} brings ${what}.\n`);
  }
}

/** What a plugin says its commands are: it need not be TypeScript that says so. */
function commandsOf({ name, commands = [] }: Plugin<unknown>): readonly { readonly plugin: string; readonly command: unknown }[] {
  return (Array.isArray(commands) ? commands : [commands]).map((command: unknown) => ({ plugin: name, command }));
}

function isCommand(value: unknown): value is Command {
  if (typeof value !== "object" || value === null || !("name" in value && "summary" in value && "run" in value)) return false;
  const { name, summary, run } = value;
  const isName = typeof name === "string" && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
  return isName && typeof summary === "string" && !/[\r\n]/.test(summary) && typeof run === "function";
}

/** Runs a verb; what it throws, or gives in place of an exit code, is told as a fault of its plugin. */
async function exitCodeOf({ plugin, command }: Brought, run: () => unknown, { err, errPaint }: Terminal): Promise<number> {
  const fault = (what: string): number => {
    err(`${errPaint("error", "error:")} The plugin ${plugin} ${what}\n`);
    return 1;
  };
  let code: unknown;
  try {
    code = await run();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return fault(`failed in its verb ${command.name}. This is a fault of the plugin; its author needs these lines:\n${visible(text)}`);
  }
  if (typeof code === "number" && Number.isInteger(code) && code >= 0 && code <= 255) return code;
  const got = code === undefined ? "nothing" : typeof code === "number" ? String(code) : `a value of the type ${typeof code}`;
  return fault(`has a verb ${command.name} that ended in no exit code: it gave ${got}. A verb gives 0 when all is fine, 1 for problems, 2 for wrong use.`);
}

function takeConfig(args: readonly string[]): { readonly config: string | undefined; readonly rest: readonly string[] } {
  const at = args.findIndex((arg) => arg === "--config" || arg.startsWith("--config="));
  const arg = args[at];
  if (arg === undefined) return { config: undefined, rest: args };
  const config = arg === "--config" ? args[at + 1] : arg.slice("--config=".length);
  if (config === undefined || config === "") throw new UsageError("--config needs a file.", "For example: --config ./fettle.config.yaml");
  return { config, rest: [...args.slice(0, at), ...args.slice(at + (arg === "--config" ? 2 : 1))] };
}
