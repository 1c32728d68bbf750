import { type Command, CommanderError } from "commander";
import { createProgram } from "./program.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";
import { pluginVerbs } from "./verbs/pluginVerbs.js";
import { visible } from "./visible.js";

/**
 * Runs the CLI.
 *
 * @param args the arguments after the program's name
 * @returns the exit code: 0 fine, 1 problems found, 2 wrong use or config
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0;
  const verb = args.findIndex((arg, i) => !arg.startsWith("-") && args[i - 1] !== "--config");
  try {
    const program = createProgram(terminal, (verdict) => {
      code = verdict;
    });
    if (args[verb] === "help" || !isOwn(args[verb], program)) {
      // A verb that none of ours is called like may be one of a plugin; help and did-you-mean should know of those too.
      const others = verb === -1 ? args : [...args.slice(0, verb), ...args.slice(verb + 1)];
      const verbs = await pluginVerbs(others, (name) => isOwn(name, program), terminal);
      const plugin = verbs.find(({ name }) => name === args[verb]);
      if (plugin) return await plugin.run();
      for (const { name, summary } of verbs) program.command(name).helpGroup("Verbs of plugins:").summary(visible(summary));
    }
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return await reportFailure(error, args[verb] ?? "", terminal);
  }
}

function isOwn(verb: string | undefined, program: Command): boolean {
  // Commander adds "help" by itself.
  return verb === "help" || program.commands.some((command) => command.name() === verb);
}

async function reportFailure(error: unknown, verb: string, terminal: Terminal): Promise<number> {
  const { err, errPaint } = terminal;
  if (error instanceof UsageError) {
    err(`${errPaint("error", "error:")} ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
    return 2;
  }
  const { loadFailure } = await import("./loadFailure.js");
  const failure = loadFailure(error, verb, terminal);
  if (failure) {
    err(failure.text);
    return failure.code;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err(`${errPaint("error", "error:")} Something inside of fettle failed. This is a fault of its own; please report it with these lines:\n${visible(text)}\n`);
  return 1;
}
