import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { IDLE_SESSIONS_FILE, type LeftOfSessions } from "../../test/idleSessions.js";

test("a hundred sessions that went idle are gone, with their watches, calls and streams, and their memory is free", async () => {
  const args = ["--expose-gc", "--conditions=source", "--import", import.meta.resolve("tsx"), IDLE_SESSIONS_FILE];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
  const { opened, watching, statuses, held }: LeftOfSessions = JSON.parse(stdout);
  assert.equal(opened, 100);
  assert.deepEqual(watching, [1, 0]);
  assert.deepEqual(statuses, [404]);
  assert.equal(held, 0, "servers or transports of sessions that ended are still held");
});
