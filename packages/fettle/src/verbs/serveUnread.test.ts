import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { type Started, tempProject, tool } from "../../test/tempProject.js";

const FLOOD = `const text = "x".repeat(64 * 1024);
export default async (_args, ctx) => {
  const before = process.memoryUsage().rss;
  let sent = 0;
  ctx.signal.addEventListener("abort", () => {
    console.error(\`sent \${sent} and holds \${Math.round((process.memoryUsage().rss - before) / 1_048_576)} MiB more\`);
  });
  while (!ctx.signal.aborted && sent < 20_000) {
    sent += 1;
    ctx.progress(sent, undefined, text);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { sent };
};
`;
const LONG = `export default () => "x".repeat(4 * 1024 * 1024);\n`;

/** Sends messages and reads nothing. */
function send({ child }: Started, ...messages: readonly object[]): void {
  child.stdout.pause();
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

const HELLO = { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } } };
const call = (name: string): object => ({ id: 2, method: "tools/call", params: { name, arguments: { text: "a" }, _meta: { progressToken: 1 } } });

test("on stdio a client that stops reading is let go: what waits for it is bounded, its calls are aborted, and the process ends in order", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("flood", FLOOD) });
  const started = project.start(["serve", "--stdio"]);
  const exit = once(started.child, "exit");
  send(started, HELLO, call("flood"));
  await started.seen(/Ended the connection of a client that has not read \d+ bytes/);
  const [, sent, held] = await started.seen(/sent (\d+) and holds (-?\d+) MiB more/);
  assert.ok(Number(sent) < 2_000, `${sent} messages of 64 KiB were taken`);
  assert.ok(Number(held) < 150, `${held} MiB more are held`);
  assert.deepEqual(await exit, [0, null]);
});

test("a client that ends stdin and never reads its answers doesn't keep the process", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("long", LONG) });
  const started = project.start(["serve", "--stdio"]);
  const exit = once(started.child, "exit");
  send(started, HELLO, call("long"));
  started.child.stdin.end();
  await started.seen(/has not read its last answers within 5 s/);
  assert.deepEqual(await exit, [0, null]);
});

test("a client that reads late gets a burst of answers whole", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("long", LONG) });
  const started = project.start(["serve", "--stdio"]);
  send(started, HELLO, ...[2, 3, 4].map((id) => ({ ...call("long"), id })));
  started.child.stdin.end();
  started.child.stdout.resume();
  const { code, stdout } = await started.ended;
  assert.equal(code, 0);
  const answers = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3, 4]);
});
