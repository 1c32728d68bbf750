import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { requireComponent } from "./support/requireComponent.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill("SIGTERM");
});

interface Started {
  readonly child: ChildProcess;
  /** The entry to paste, as printed. */
  readonly entry: { readonly mcpServers: Readonly<Record<string, { readonly type: string; readonly url: string }>> };
  readonly stderr: string;
}

/** What `npm start` runs after the set-up. */
const start = async (...args: string[]): Promise<Started> => {
  const { PORT: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(root, "scripts/start.mjs"), ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  for await (const chunk of child.stdout) {
    stdout += chunk;
    const entry = /^\{$[\s\S]*^\}$/m.exec(stdout)?.[0];
    if (entry) return { child, entry: JSON.parse(entry), stderr };
  }
  throw new Error(`The server ended without saying its address:\n${stdout}${stderr}`);
};

const urlOf = ({ entry }: Started): string => Object.values(entry.mcpServers)[0]?.url ?? "";

test("npm start prints a client entry under which an MCP client finds the Git tools", requireComponent("git"), async () => {
  const server = await start("0");
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(urlOf(server))));
  const { tools } = await client.listTools();
  await client.close();
  assert.ok(
    tools.some(({ name }) => name === "git_log"),
    tools.map(({ name }) => name).join(),
  );
});

test("SIGTERM is passed on, the server drains, and npm start exits 0", async () => {
  const { child } = await start("0");
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("the server ends when the shell that npm runs it in is ended", async () => {
  const { PORT: _, ...env } = process.env;
  // "; true" keeps the shell from replacing itself by the script, as npm's shell doesn't either.
  const shell = spawn("sh", ["-c", `"${process.execPath}" scripts/start.mjs 0; true`], {
    cwd: root,
    env: { ...env, npm_lifecycle_event: "start" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(shell);
  let stdout = "";
  for await (const chunk of shell.stdout) {
    stdout += chunk;
    if (stdout.includes("Ctrl+C")) shell.kill("SIGTERM");
  }
  // The loop ends when the last holder of stdout is gone: the server itself.
  const address = /http:[^"\s]+/.exec(stdout)?.[0] ?? "";
  await assert.rejects(fetch(address));
});

test("when port 3000 is in use npm start says so and takes a free one", async () => {
  const occupant = createServer();
  // Someone else on this machine may have it already, which is as good.
  await new Promise<void>((resolve) => occupant.once("error", () => resolve()).listen(3000, "127.0.0.1", resolve));
  const server = await start();
  assert.match(server.stderr, /port 3000 is in use, so a free one is taken/);
  const { port } = new URL(urlOf(server));
  assert.notEqual(port, "3000");
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
  occupant.close();
});
