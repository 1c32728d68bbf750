import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import setUp, { type GitFixture } from "../../tools/git/git.fixture.js";
import { CLI, ROOT, type RunningServer, serveHttp } from "./runCli.js";
import { sdkClients } from "./sdkClients.js";

const NAMES = ["git_blame", "git_commit", "git_create_branch", "git_diff", "git_log", "git_search", "git_show", "git_status"];

describe("the Git tools, served by the CLI", () => {
  let fixture: GitFixture;
  let server: RunningServer;
  before(async () => {
    fixture = await setUp();
    server = await serveHttp(fixture.env);
  });
  after(async () => {
    const { code, ms } = await server.stop();
    assert.equal(code, 0, server.stderr());
    assert.ok(ms < 10_000, `SIGTERM took ${ms} ms`);
    await fixture.dispose();
  });

  const clients = sdkClients(() => ({
    stdio: { command: process.execPath, args: [CLI, "serve", "--stdio"], env: { ...fixture.env }, cwd: ROOT },
    url: server.url,
  }));

  for (const [name, connect] of Object.entries(clients)) {
    test(`${name}: lists the eight tools, calls them, and reads errors that say what to do`, async () => {
      const client = await connect();
      try {
        const tools = await client.list();
        assert.deepEqual(
          tools.map((tool) => tool.name),
          NAMES,
        );
        for (const tool of tools) {
          assert.ok(tool.description && tool.description.length <= 1_024, tool.name);
          assert.ok(tool.outputSchema, tool.name);
          assert.ok(tool.annotations, tool.name);
        }

        const log = await client.call("git_log", { limit: 2 });
        assert.equal(log.isError ?? false, false, JSON.stringify(log));
        assert.match(JSON.stringify(log.structuredContent), /Document the retry rules/);
        assert.deepEqual(JSON.parse(log.content[0]?.text ?? ""), log.structuredContent);

        const status = await client.call("git_status", {});
        assert.match(JSON.stringify(status.structuredContent), /src\/limits\.ts/);

        const wrong = await client.call("git_log", { limt: 2 });
        assert.equal(wrong.isError, true);
        assert.match(wrong.content[0]?.text ?? "", /git_log was not run: 1 problem.*\n- unknown argument limt\. Did you mean limit\?/);
        assert.equal(wrong.structuredContent, undefined);
        assert.match(JSON.stringify(wrong._meta?.["dev.fettle/error"]), /"error_type":"input_error"/);

        const missing = await client.call("git_show", { ref: "mian" });
        assert.equal(missing.isError, true);
        assert.match(missing.content[0]?.text ?? "", /mian[\s\S]*main/);

        await assert.rejects(
          client.call("git_lgo", {}),
          (error: unknown) => error instanceof Error && "code" in error && error.code === -32602 && /git_log/.test(error.message),
        );
      } finally {
        await client.close();
      }
    });
  }

  test("an older version is served to those who name it, by its own arguments and in its own form", async () => {
    const client = await clients["SDK 1.x over HTTP"]?.();
    assert.ok(client);
    const old = await client.call("git_log", { max_count: 1 }, { meta: { "dev.fettle/tool-version": "1.4.0" } });
    assert.deepEqual(Object.keys(old.structuredContent ?? {}), ["entries", "has_more"]);
    assert.equal(old._meta?.["dev.fettle/version"], "1.4.0");
    const none = await client.call("git_log", {}, { meta: { "dev.fettle/tool-version": "3.0.0" } });
    assert.match(none.content[0]?.text ?? "", /not served in that version\.[\s\S]*2\.0\.0, 1\.4\.0/);
    await client.close();
  });
});
