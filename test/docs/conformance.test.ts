import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SUITES, suiteCommand } from "../conformance/runSuite.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
const [serve = "", suites = ""] = [...page.slice(page.indexOf("## Conformance")).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block.trim());

test("CONTRIBUTING's command serves the fixtures of the conformance suites, prints the address and ends cleanly on SIGTERM", async () => {
  const [assignment, program = "", ...args] = serve.split(" ");
  assert.equal(assignment, "PORT=4000");
  // Another port than on the page: that one may be in use. No shell between: it would keep the signal to itself.
  const child = spawn(program, args, { cwd: root, env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  let address: string | undefined;
  for await (const chunk of child.stdout) {
    stdout += chunk;
    if (address !== undefined) continue;
    address = /^http:\/\/127\.0\.0\.1:\d+\/mcp$/m.exec(stdout)?.[0];
    if (address === undefined) continue;
    const request = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
    };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(request) });
    assert.match(await answer.text(), /fettle-conformance/);
    child.kill("SIGTERM");
  }
  // The loop ends when the last holder of stdout is gone: the server itself.
  assert.ok(address, stdout);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  await assert.rejects(fetch(address));
});

test("CONTRIBUTING's commands for the conformance suites are those that the tests run", () => {
  assert.deepEqual(
    suites.split("\n"),
    SUITES.map((suite) => suiteCommand(suite, "http://localhost:4000/mcp").join(" ")),
  );
});
