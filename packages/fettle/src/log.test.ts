import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { createLog, shortLine } from "./log.js";
import { paintFor, plain } from "./paint.js";
import type { Terminal } from "./terminal.js";
import { visible } from "./visible.js";

const ttyTerminal = (env: Record<string, string>, written: string[]): Terminal => ({
  data: process.stdout,
  out: () => {},
  err: (text) => void written.push(text),
  input: process.stdin,
  outPaint: plain,
  errPaint: plain,
  errIsTty: true,
  columns: 120,
  cwd: "/",
  env,
});

test("on a terminal a line is short: time, level, message, fields, and a stack below", () => {
  assert.equal(
    shortLine('{"level":"warn","time":"2026-11-30T10:41:07.123Z","tool":"git_log","ms":12,"odd":"a b","msg":"slow"}\n', plain),
    '10:41:07 warn  slow tool=git_log ms=12 odd="a b"\n',
  );
  assert.equal(
    shortLine('{"level":"error","time":"2026-11-30T10:41:07.123Z","error_stack":"Error: x\\n    at y","msg":"bad\\u001b[2J"}', plain),
    "10:41:07 error bad␛[2J\nError: x\n    at y\n",
  );
});

test("FETTLE_LOG_LEVEL decides what is written", () => {
  const written: string[] = [];
  const log = createLog(ttyTerminal({ FETTLE_LOG_LEVEL: "WARN" }, written), "debug");
  log.debug("a");
  log.info("b");
  log.warn("c", { n: 1 });
  log.error("d");
  assert.deepEqual(
    written.map((line) => line.slice(9)),
    ["warn  c n=1\n", "error d\n"],
  );
});

test("what the server announces is written at every level", () => {
  const written: string[] = [];
  createLog(ttyTerminal({ FETTLE_LOG_LEVEL: "silent" }, written), "info").announce("ready", { port: 1 });
  assert.deepEqual(
    written.map((line) => line.slice(9)),
    ["info  ready port=1\n"],
  );
});

test("an unknown FETTLE_LOG_LEVEL is told, and the usual level stands", () => {
  const written: string[] = [];
  const log = createLog(ttyTerminal({ FETTLE_LOG_LEVEL: "loud" }, written), "info");
  log.debug("no");
  log.info("yes");
  assert.match(written[0] ?? "", /warn {2}FETTLE_LOG_LEVEL is "loud", which is no level\. Use one of: trace, debug, info/);
  assert.equal(written.length, 2);
});

test("NO_COLOR wins over FORCE_COLOR, and FORCE_COLOR over what the stream is", () => {
  const coloured = (isTty: boolean, env: Record<string, string>): boolean => paintFor(isTty, env)("error", "x") !== "x";
  assert.equal(coloured(true, {}), true);
  assert.equal(coloured(false, {}), false);
  assert.equal(coloured(true, { TERM: "dumb" }), false);
  assert.equal(coloured(true, { NO_COLOR: "1", FORCE_COLOR: "1" }), false);
  assert.equal(coloured(true, { NO_COLOR: "" }), true);
  assert.equal(coloured(false, { FORCE_COLOR: "1" }), true);
  assert.equal(coloured(true, { FORCE_COLOR: "0" }), false);
  assert.equal(paintFor(true, {})("error", ""), "");
  assert.equal(stripVTControlCharacters(paintFor(true, {})("warning", "text")), "text");
});

test("control characters and those that turn text around are made visible, one for one", () => {
  assert.equal(visible("a\tb\nc"), "a\tb\nc");
  assert.equal(visible("\u0000\u001b\u007f\u009b\u202e\r"), "␀␛␡\ufffd\ufffd␍");
});
