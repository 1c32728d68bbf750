import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { nodeProgram } from "../support/programs.js";
import { requireComponent } from "../support/requireComponent.js";
import { projectCopy } from "./projectCopy.js";
import { CLI, ROOT, serveHttp } from "./runCli.js";
import { type SdkClient, sdkClients } from "./sdkClients.js";
import { until } from "./until.js";

// The tests themselves run on one version of Node; here the built CLI runs on the others.
for (const name of ["node22", "node24"] as const) {
  describe(`on ${name}`, requireComponent(name), () => {
    const node = nodeProgram(name);

    /** Calls handlers in TypeScript and JavaScript, then changes one and adds one, and calls again. */
    const use = async (client: SdkClient, folder: string, signal: (signal: NodeJS.Signals) => void, stderr: () => string): Promise<void> => {
      assert.deepEqual((await client.call("count_words", { text: "one two two", unique: true })).structuredContent, { words: 2 });
      assert.deepEqual((await client.call("work_steps", { steps: 2 })).structuredContent, { done: 2 });
      assert.equal((await client.call("count_words", { text: "" })).isError, true);

      const handler = join(folder, "count_words.handler.ts");
      await writeFile(
        handler,
        (await readFile(handler, "utf8")).replace("return {", "const more: number = 40;\n  return {").replace("words.length", "words.length + more"),
      );
      await writeFile(
        join(folder, "work_again.tool.yaml"),
        (await readFile(join(folder, "work_steps.tool.yaml"), "utf8")).replace("name: work_steps", "name: work_again"),
      );
      await writeFile(join(folder, "work_again.handler.mjs"), "export default ({ steps }) => ({ done: steps });\n");
      signal("SIGHUP");
      await until(() => /loaded again: serving 4 tools/.test(stderr()), `the reload:\n${stderr()}`, 60_000);
      assert.deepEqual((await client.call("count_words", { text: "one two" })).structuredContent, { words: 42 });
      assert.deepEqual((await client.call("work_again", { steps: 3 })).structuredContent, { done: 3 });
    };

    test("the built CLI serves over stdio, loads TypeScript and JavaScript, and reloads", async () => {
      const project = await projectCopy();
      let child: { readonly pid: number | null; stderr(): string } | undefined;
      const stdio = { command: node, args: [CLI, "serve", "--stdio", "--config", project.config], env: {}, cwd: "/" };
      const client = await sdkClients(() => ({ stdio, url: "" }))["SDK 1.x over stdio"]?.({
        onProcess: (started) => {
          child = started;
        },
      });
      assert.ok(client && child?.pid);
      const { pid, stderr } = child;
      await use(client, project.folder, (signal) => void process.kill(pid, signal), stderr);
      await client.close();
      await project.dispose();
    });

    // Answers in sessions are streams, those of 2026-07-28 mostly are not.
    for (const name of ["SDK 1.x over HTTP", "SDK 2.x over HTTP, 2026-07-28"])
      test(`the built CLI serves ${name}, loads TypeScript and JavaScript, reloads, and ends in order`, async () => {
        const project = await projectCopy();
        const server = await serveHttp({}, ["--config", project.config], node);
        const client = await sdkClients(() => ({ stdio: { command: "", args: [], env: {}, cwd: "/" }, url: server.url }))[name]?.();
        assert.ok(client);
        await use(client, project.folder, (signal) => void server.process.kill(signal), server.stderr);
        await client.close();
        assert.equal((await server.stop()).code, 0, server.stderr());
        await project.dispose();
      });

    test("npm start's script serves the Git tools and ends in order", requireComponent("git"), async () => {
      const child = spawn(node, [join(ROOT, "scripts/start.mjs"), "0"], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
      let printed = "";
      for await (const chunk of child.stdout) {
        printed += chunk;
        if (printed.includes("Ctrl+C")) break;
      }
      const url = /http:[^"\s]+(?=\/mcp")/.exec(printed)?.[0] ?? "";
      const client = await sdkClients(() => ({ stdio: { command: "", args: [], env: {}, cwd: "/" }, url }))["SDK 1.x over HTTP"]?.();
      assert.match(JSON.stringify(await client?.call("git_status", {})), /"structuredContent"/);
      await client?.close();
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      assert.equal(code, 0);
    });
  });
}
