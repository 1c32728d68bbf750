import { Command, InvalidArgumentError, Option } from "commander";
import type { Terminal } from "./terminal.js";
import { version } from "./version.js";

const EXIT_CODES = "\nExit codes: 0 fine, 1 problems found, 2 wrong use or config.";

const ignore = (): void => {};

const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError("A port is a number from 0 to 65535; 0 picks a free one.");
  return value;
};

const examples = (...lines: readonly (readonly [command: string, does: string])[]): string => {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, does]) => `  ${command.padEnd(width)}   ${does}`).join("\n")}\n${EXIT_CODES}`;
};

/** For verbs that can't do without one. */
const NEEDED_CONFIG = "the config (default: ./fettle.config.yaml)";

const withConfig = (command: Command): Command =>
  command.option("--config <file>", "the config (default: ./fettle.config.yaml; without one, every *.tool.yaml below this folder)");

/** To a server SIGHUP means "load again". Until it can, and while it ends, the signal must not kill it, as is Node's default. */
async function asServer(serve: () => Promise<void>): Promise<void> {
  process.on("SIGHUP", ignore);
  try {
    await serve();
  } finally {
    process.off("SIGHUP", ignore);
  }
}

/**
 * The verbs and their options. A verb's code is loaded when it runs, so that `--help` and small verbs start at once.
 *
 * @param finish receives the exit code of the verb that ran
 */
export function createProgram(terminal: Terminal, finish: (code: number) => void): Command {
  const program = new Command("fettle")
    .usage("<verb> [options]")
    .commandsGroup("Verbs:")
    .description("MCP tools as YAML specs beside handlers: checked like code, served to models.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [verb]", "print the help of a verb")
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp({ helpWidth: Math.min(terminal.columns, 120) })
    .showSuggestionAfterError()
    .showHelpAfterError("Add --help to see what there is.")
    .exitOverride()
    .addHelpText("after", `\nPlugins of the config may add verbs.${EXIT_CODES}`);

  program
    .command("init")
    .summary("make a project that serves a tool")
    .description("Makes a project: a config, a tool with its tests, and what editors need. Nothing that exists is overwritten.")
    .argument("[dir]", "the folder, made if it isn't there (default: this one)")
    .option("--name <name>", "name of the package and the server (default: the folder's)")
    .option("--json", "print what was made, and the entries for hosts, for programs")
    .addHelpText(
      "after",
      examples(
        ["fettle init my-tools", "a project in a new folder"],
        ["fettle init", "in this folder, which must be empty but for README, licence and Git's files"],
      ),
    )
    .action(async (dir, options) => finish(await (await import("./verbs/init.js")).init(dir, options, terminal)));

  program
    .command("new")
    .summary("begin a tool or a plugin")
    .description(
      "Begins a tool: a spec and a handler that are served at once, with notes on what to write. With --plugin a plugin, its test, and its line in the config.",
    )
    .argument("<name>", "name of the tool, or of the plugin")
    .option("--plugin", "begin a plugin")
    .option("--config <file>", NEEDED_CONFIG)
    .option("--dir <dir>", "the folder that it goes into (default: the config's first folder of tools; for a plugin, plugins)")
    .option("--json", "print what was made for programs")
    .addHelpText(
      "after",
      examples(
        ["fettle new list_orders", "tools/list_orders.tool.yaml and its handler"],
        ["fettle new --plugin slow-calls", "plugins/slow-calls.mjs and its test"],
      ),
    )
    .action(async (name, { plugin, ...options }) =>
      finish(
        plugin
          ? await (await import("./verbs/newPlugin.js")).newPlugin(name, options, terminal)
          : await (await import("./verbs/newTool.js")).newTool(name, options, terminal),
      ),
    );

  withConfig(program.command("check"))
    .summary("check specs like a compiler does")
    .description("Checks all specs of the config, or those of the files and folders named, and prints every problem with its place.")
    .argument("[path...]", "spec files or folders in place of the config's")
    .addOption(new Option("--format <format>", "how findings are written").choices(["pretty", "json", "sarif", "github"]).default("pretty"))
    .addOption(new Option("--json", "the same as --format json").implies({ format: "json" }))
    .option("--strict", "warnings count as problems too")
    .option("--explain <code>", "print what a code or rule means, for example spec/unknown-key or T-NAME-1")
    .addHelpText(
      "after",
      examples(
        ["fettle check", "all specs of this project"],
        ["fettle check tools/git_log.tool.yaml", "one spec"],
        ["fettle check --explain spec/unknown-key", "what a code means"],
        ["fettle check --format sarif > fettle.sarif", "for code hosts and editors"],
      ),
    )
    .action(async (paths, options) => finish(await (await import("./verbs/check.js")).check(paths, options, terminal)));

  withConfig(program.command("serve"))
    .summary("serve the tools over MCP")
    .description(
      "Serves the tools over MCP, on stdio or over HTTP. SIGHUP loads specs and handlers again; SIGTERM and Ctrl-C end it after the calls in flight.",
    )
    .option("--stdio", "speak MCP on stdin and stdout; everything else goes to stderr")
    .option("--http", "serve MCP at /mcp, health at /healthz and /readyz")
    .option("--host <host>", "address to listen on (default: 127.0.0.1)")
    .option("--port <port>", "port to listen on; 0 picks a free one (default: 3000)", port)
    .option("--strict", "don't start when any spec has an error")
    .addHelpText(
      "after",
      examples(["fettle serve --stdio", "for a host that starts the server itself"], ["fettle serve --http --port 8080", "for hosts on this machine"]),
    )
    .action(async (options) => asServer(async () => finish(await (await import("./verbs/serve.js")).serve(options, terminal))));

  withConfig(program.command("types"))
    .summary("write the types of handlers beside their specs")
    .description(
      "Writes NAME.types.ts beside each NAME.tool.yaml: Args, Output and Handler, from its parameters and output. Files whose spec is gone are removed.",
    )
    .option("--check", "write nothing; exit with 1 when a file is missing, stale or left over")
    .option("--json", "print it for programs")
    .addHelpText("after", examples(["fettle types", "all specs of this project"], ["fettle types --check", "for CI"]))
    .action(async (options) => finish(await (await import("./verbs/types.js")).types(options, terminal)));

  withConfig(program.command("dev"))
    .summary("serve over HTTP, and reload what you save")
    .description(
      "Serves the tools over HTTP and watches specs, handlers with all that they import, the config and its plugins. What is saved is served at once; while something is broken, what was served before stays.",
    )
    .option("--host <host>", "address to listen on (default: 127.0.0.1)")
    .option("--port <port>", "port to listen on; 0 picks a free one (default: 3000)", port)
    .addHelpText("after", examples(["fettle dev", "while you work on tools"], ["fettle dev --port 0", "on a port that is free"]))
    .action(async (options) => asServer(async () => finish(await (await import("./verbs/dev.js")).dev(options, terminal))));

  program
    .command("hosts")
    .summary("print the entry for Claude, Cursor, VS Code, Codex")
    .description("Prints, for each of the common hosts, the entry that makes it start this project's server on stdio, and where the entry goes.")
    .option("--config <file>", NEEDED_CONFIG)
    .option("--json", "print them for programs")
    .addHelpText("after", examples(["fettle hosts", "the entries of this project"]))
    .action(async (options) => finish(await (await import("./verbs/hosts.js")).hosts(options, terminal)));

  withConfig(program.command("call"))
    .summary("call a tool once")
    .description("Makes one call through the whole pipeline, as a model's would go. Data goes to stdout; an error goes to stderr, in the words a model reads.")
    .argument("<tool>", "name of the tool")
    .argument("[json]", "the arguments as one JSON object; - reads them from stdin", "{}")
    .option("--tool-version <range>", "version or range of versions to call")
    .option("--key <key>", "idempotency key: the same key again doesn't do it twice")
    .option("--json", 'print {"ok","data","content","error","notes"}')
    .addHelpText("after", examples([`fettle call git_log '{"limit": 2}'`, "data on stdout"], ["fettle call git_log - < args.json", "arguments from a file"]))
    .action(async (tool, json, options) => finish(await (await import("./verbs/call.js")).call(tool, json, options, terminal)));

  withConfig(program.command("explain"))
    .summary("show how a call of a tool goes")
    .description("Shows which version of a tool answers, the rings around its handler from the outermost to the innermost, the handler and the time limit.")
    .argument("<tool>", "name of the tool")
    .option("--tool-version <version>", "version to explain")
    .option("--json", "print it for programs")
    .addHelpText("after", examples(["fettle explain git_log", "the version that a plain call gets"]))
    .action(async (tool, options) => finish(await (await import("./verbs/explain.js")).explain(tool, options, terminal)));

  program
    .command("validate")
    .summary("check values against JSON Schemas")
    .description(
      'Reads lines {"id","schema","args"} from stdin, with args_json or yaml in place of args where the text itself matters, and answers a line each.',
    )
    .option("--ndjson", "lines of JSON in and out (the only form so far)")
    .option("--lint", "add the ids of the rules that the schema breaks")
    .option("--no-coerce", "plain JSON Schema: no repairs, no defaults, format only annotates")
    .addHelpText("after", examples([`echo '{"id":1,"schema":{"type":"object"},"args":{}}' | fettle validate --ndjson`, "one answer"]))
    .action(async (options) => finish(await (await import("./verbs/validateLines.js")).validateLines(options, terminal)));

  return program;
}
