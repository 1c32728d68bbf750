import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Runs a program in a process of its own, which writes JSON. */
async function told(program: string): Promise<unknown> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  return JSON.parse(stdout);
}

const path = (relative: string): string => JSON.stringify(new URL(relative, import.meta.url).href);

/** Counts in `seen` which modules of the SDK and its schema library are asked for. */
const WATCH = `
  import { register } from "node:module";
  const seen = [];
  const { port1, port2 } = new MessageChannel();
  port1.on("message", (specifier) => seen.push(specifier));
  port1.unref();
  register("data:text/javascript," + encodeURIComponent(\`
    let port;
    export const initialize = (given) => { port = given; };
    export const resolve = async (specifier, context, next) => {
      if (/^(@modelcontextprotocol|zod)/.test(specifier)) port.postMessage(specifier);
      return next(specifier, context);
    };\`), { data: port2, transferList: [port2] });
  const plain = [["tools/list", {}], ["tools/call", { name: "echo", arguments: {} }], ["ping", {}]];
  const other = ["logging/setLevel", { level: "info" }];
  const message = ([method, params], id) => ({ jsonrpc: "2.0", id, method, params });
  const settled = () => new Promise((resolve) => setTimeout(resolve, 100));`;

test("Node's HTTP client isn't loaded with the package: a server on stdio needs none", async () => {
  // Node loads it for the first look at one of these.
  const seen = await told(`
    const seen = [];
    for (const name of ["Response", "Request", "Headers", "fetch"])
      Object.defineProperty(globalThis, name, { configurable: true, get: () => void seen.push(name) });
    await import(${path("./index.ts")});
    process.stdout.write(JSON.stringify(seen));`);
  assert.deepEqual(seen, []);
});

test("the SDK isn't loaded for a session of plain requests over HTTP", async () => {
  const counts = await told(`${WATCH}
    const { startHttp, openSession, post, answerIn } = await import(${path("../test/httpFixture.ts")});
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    for (const [i, each] of plain.entries()) await answerIn(await post(fixture.url, message(each, i), session));
    await settled();
    const before = seen.length;
    await answerIn(await post(fixture.url, message(other, 9), session));
    await settled();
    process.stdout.write(JSON.stringify({ before, later: seen.length > 0 }));
    await fixture.stop();`);
  assert.deepEqual(counts, { before: 0, later: true });
});

test("nor for a connection of them on stdio", async () => {
  const counts = await told(`${WATCH}
    import { PassThrough } from "node:stream";
    const { fixtureKernel } = await import(${path("../test/fixtureTools.ts")});
    const { INITIALIZE } = await import(${path("../test/httpFixture.ts")});
    const { serveStdio } = await import(${path("./index.ts")});
    const { kernel } = await fixtureKernel();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const server = serveStdio(kernel, { stdin, stdout });
    let lines = 0;
    stdout.on("data", (chunk) => (lines += chunk.toString().split("\\n").length - 1));
    const answered = async (count) => { while (lines < count) await new Promise((resolve) => setTimeout(resolve, 5)); };
    const write = (each) => stdin.write(JSON.stringify(each) + "\\n");
    write(INITIALIZE);
    write({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (const [i, each] of plain.entries()) write(message(each, i + 2));
    await answered(1 + plain.length);
    await settled();
    const before = seen.length;
    write(message(other, 9));
    await answered(2 + plain.length);
    await settled();
    process.stdout.write(JSON.stringify({ before, later: seen.length > 0 }));
    await server.close();
    await kernel.close();`);
  assert.deepEqual(counts, { before: 0, later: true });
});
