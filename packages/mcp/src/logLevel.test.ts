import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type HttpFixture, postModern, startHttp } from "../test/httpFixture.js";

let fixture: HttpFixture;
before(async () => {
  fixture = await startHttp();
});
after(() => fixture.stop());

/** The levels of the lines that a client of 2026-07-28 is sent during a call that logs at three levels. */
async function levelsFor(level?: unknown): Promise<readonly string[]> {
  const meta = level === undefined ? {} : { _meta: { "io.modelcontextprotocol/logLevel": level } };
  const text = await (await postModern(fixture.url, "tools/call", { name: "logs", arguments: {}, ...meta })).text();
  return [...text.matchAll(/"notifications\/message","params":\{"level":"(\w+)"/g)].map(([, found = ""]) => found);
}

test("a request of 2026-07-28 gets the log lines of the level that it names and above, and without a level none", async () => {
  assert.deepEqual(await levelsFor(), []);
  assert.deepEqual(await levelsFor("debug"), ["debug", "info", "warning"]);
  assert.deepEqual(await levelsFor("warning"), ["warning"]);
  assert.deepEqual(await levelsFor("emergency"), []);
});
