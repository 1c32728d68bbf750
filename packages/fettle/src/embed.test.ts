import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { ECHO, tempProject, tool } from "../test/tempProject.js";
import { createHttpServer, LoadFailed, openKernel } from "./embed.js";

test("a kernel is opened from a config file, called, served and closed", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", ECHO) });
  const kernel = await openKernel(project.path("fettle.config.yaml"));
  const outcome = await kernel.call({ name: "echo", args: { text: "a" } });
  assert.deepEqual(outcome.kind === "ok" && outcome.data, { text: "a" });

  const server = createHttpServer(kernel);
  const { url } = await server.listen({ port: 0 });
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  await server.close();
  await kernel.close();
});

test("a kernel is opened from a config made in code, with plugins, an environment and a log of one's own", async (t) => {
  const project = await tempProject(t, tool("env", 'export default (_, { env, log }) => { log.info("hello"); return { name: env.NAME }; };\n'));
  const logged: string[] = [];
  const keep = (message: string): void => void logged.push(message);
  const kernel = await openKernel(
    { config: { tools: ["."] }, folder: project.folder },
    {
      env: { NAME: "embedded" },
      log: { debug: keep, info: keep, warn: keep, error: keep },
      plugins: [{ name: "mark", position: "observe", setup: () => ({ layer: () => async (call, next) => (call.note("seen", true), next()) }) }],
    },
  );
  t.after(() => kernel.close());
  const outcome = await kernel.call({ name: "env", args: { text: "a" } });
  assert.deepEqual(outcome.kind === "ok" && outcome.data, { name: "embedded" });
  assert.deepEqual(outcome.notes, { "mark.seen": true });
  assert.ok(logged.includes("hello"), logged.join());
});

test("strict refuses a broken spec with every finding", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", "a.tool.yaml": "", "b.tool.yaml": "" });
  const failed = await openKernel(project.path("fettle.config.yaml"), { strict: true }).catch((error: unknown) => error);
  assert.ok(failed instanceof LoadFailed);
  assert.equal(failed.diagnostics.length, 2);
});

test("a handler's import of fettle loads neither kernel nor SDK nor CLI", async () => {
  // Every module that is loaded is named by its URL.
  const hook = `import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent('export const load = (url, context, next) => { process._rawDebug("loaded " + url); return next(url, context); };'));`;
  const script = `import ${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)}; await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});`;
  const { stderr } = await promisify(execFile)(process.execPath, [
    "--conditions=source",
    `--import=${import.meta.resolve("tsx")}`,
    "--input-type=module",
    "--eval",
    script,
  ]);
  const loaded = stderr.split("\n").filter((line) => line.startsWith("loaded "));
  assert.ok(loaded.some((line) => line.includes("/contract/")));
  assert.deepEqual(
    loaded.filter((line) => /kernel|\/mcp\/|modelcontextprotocol|commander|pino|\/schema\//.test(line)),
    [],
  );
});
