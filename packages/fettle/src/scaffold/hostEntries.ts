import { shellWord } from "./shellWord.js";

/** How a host is told to start a server. */
export interface HostEntry {
  readonly host: "Claude Desktop" | "Claude Code" | "Cursor" | "VS Code" | "Codex";
  /** Where the text goes: the file, or `a terminal`. */
  readonly where: string;
  readonly language: "json" | "toml" | "sh";
  readonly text: string;
}

/** A server that a host starts and speaks to over stdio. */
export interface StdioServerEntry {
  /** Letters, digits, `-` and `_`: what all hosts take. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The entry for each of the common hosts. Formats: the hosts' own documentation, as of November 2026. */
export function hostEntries({ name, command, args }: StdioServerEntry): readonly HostEntry[] {
  const list = `[${args.map((arg) => JSON.stringify(arg)).join(", ")}]`;
  const json = (key: string, ...first: readonly string[]): string => {
    const fields = [...first, `"command": ${JSON.stringify(command)}`, `"args": ${list}`];
    return `{\n  "${key}": {\n    "${name}": {\n      ${fields.join(",\n      ")}\n    }\n  }\n}`;
  };
  return [
    {
      host: "Claude Desktop",
      where: "claude_desktop_config.json (Settings > Developer > Edit Config)",
      language: "json",
      text: json("mcpServers"),
    },
    { host: "Claude Code", where: "a terminal", language: "sh", text: ["claude", "mcp", "add", name, "--", command, ...args].map(shellWord).join(" ") },
    {
      host: "Cursor",
      where: ".cursor/mcp.json, or ~/.cursor/mcp.json for all projects",
      language: "json",
      text: json("mcpServers", '"type": "stdio"'),
    },
    { host: "VS Code", where: ".vscode/mcp.json", language: "json", text: json("servers", '"type": "stdio"') },
    {
      host: "Codex",
      where: "~/.codex/config.toml",
      language: "toml",
      text: `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${list}`,
    },
  ];
}

/**
 * An entry for the configuration of an MCP client that reaches a server over HTTP, as most hosts take it.
 *
 * @param name the server's, made one that every host takes
 */
export function httpEntry(name: string, url: string): string {
  return JSON.stringify({ mcpServers: { [serverName(name)]: { type: "http", url } } }, null, 2);
}

/** A name that every host takes for a server. */
export function serverName(text: string): string {
  return (
    text
      .replace(/[^A-Za-z0-9_-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "fettle"
  );
}
