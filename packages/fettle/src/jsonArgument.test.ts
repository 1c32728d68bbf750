import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { parseArguments, readBounded, withoutMark } from "./jsonArgument.js";
import { plain } from "./paint.js";
import { UsageError } from "./usageError.js";

const style = { columns: 120, paint: plain };

async function refusal(run: Promise<unknown>): Promise<UsageError> {
  const error = await run.then(
    () => assert.fail("it was taken"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UsageError, String(error));
  return error;
}

test("an object is taken as it is", async () => {
  assert.deepEqual(await parseArguments('{"limit": 5, "path": "ä"}', style), { limit: 5, path: "ä" });
});

test("where the text is wrong stands in the heading and is marked", async () => {
  const { message } = await refusal(parseArguments('{"a":\n  nul}', style));
  assert.equal(
    message,
    `The arguments are not valid JSON: line 2, column 3.
    1 | {"a":
    2 |   nul}
      |   ^ Unexpected word "nul". Texts stand in double quotes; other words are true, false and null.`,
  );
});

test("what is no object is refused with what it is", async () => {
  assert.match((await refusal(parseArguments("[1]", style))).message, /got a list\.$/);
  assert.match((await refusal(parseArguments("null", style))).message, /got null\.$/);
  assert.match((await refusal(parseArguments(" 7 ", style))).message, /got the number 7\.$/);
  assert.match((await refusal(parseArguments('"x"', style))).hint ?? "", /^Write them like this/);
});

test("stdin is read to its end, as far as the limit", async () => {
  assert.equal(await readBounded(Readable.from([Buffer.from('{"a":'), "1}"])), '{"a":1}');
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(65_536, 32);
    })(),
  );
  assert.match((await refusal(readBounded(endless))).message, /longer than 1,048,576 bytes/);
  assert.equal(endless.destroyed, true);
});

test("a byte order mark is dropped", async () => {
  assert.equal(withoutMark("\u{FEFF}{}"), "{}");
  assert.equal(withoutMark("{}"), "{}");
  assert.equal(await readBounded(Readable.from([Buffer.from("\u{FEFF}{}")])), "{}");
});

test("stdin that isn't UTF-8 is refused", async () => {
  assert.match((await refusal(readBounded(Readable.from([Buffer.from("\u{FEFF}{}", "utf16le")])))).message, /not UTF-8 text, but UTF-16\./);
  assert.match((await refusal(readBounded(Readable.from([Buffer.from([0xff, 0xfe])])))).message, /not UTF-8/);
});
