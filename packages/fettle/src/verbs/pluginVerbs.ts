import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@fettle/contract";
import type { Terminal } from "../terminal.js";
import { UsageError } from "../usageError.js";

/** A verb that a plugin brings, ready to run with the arguments that were given. */
export interface PluginVerb extends Pick<Command, "name" | "summary"> {
  /** Sets the plugins up, runs the command and disposes of them. Resolves to the exit code. */
  run(): Promise<number>;
}

/**
 * The verbs of the plugins that the config switches on. To find them plugins are loaded, but not set up, and no handler is; a project that can't be loaded
 * has none, so that what is said is about the verb.
 *
 * @param args the arguments without the verb; `--config FILE` is taken out, the rest is the command's
 */
export async function pluginVerbs(args: readonly string[], terminal: Terminal): Promise<readonly PluginVerb[]> {
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
  const commands = plugins.flatMap((plugin) => plugin.commands ?? []);
  return commands.map(({ name, summary }) => ({
    name,
    summary,
    async run() {
      const kernel = await createKernel(project);
      try {
        // The set-up plugins' own: a command may use what set-up made.
        const command = kernel.commands.find((other) => other.name === name);
        const options = { json: rest.includes("--json"), ...(config !== undefined && { config }) };
        return (await command?.run(rest, { out: terminal.out, err: terminal.err, options })) ?? 2;
      } finally {
        await kernel.close();
      }
    },
  }));
}

function takeConfig(args: readonly string[]): { readonly config: string | undefined; readonly rest: readonly string[] } {
  const at = args.findIndex((arg) => arg === "--config" || arg.startsWith("--config="));
  const arg = args[at];
  if (arg === undefined) return { config: undefined, rest: args };
  const config = arg === "--config" ? args[at + 1] : arg.slice("--config=".length);
  if (config === undefined || config === "") throw new UsageError("--config needs a file.", "For example: --config ./fettle.config.yaml");
  return { config, rest: [...args.slice(0, at), ...args.slice(at + (arg === "--config" ? 2 : 1))] };
}
