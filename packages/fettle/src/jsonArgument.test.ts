import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { parseArguments, readBounded } from "./jsonArgument.js";
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

const MISTAKES: readonly (readonly [text: string, frame: string])[] = [
  ["{limit: 5}", '    1 | {limit: 5}\n      |  ^ Unexpected "l". Names stand in double quotes.'],
  ["{'a':1}", "    1 | {'a':1}\n      |  ^ Unexpected \"'\". JSON has double quotes only."],
  ['{"a":1,}', '    1 | {"a":1,}\n      |        ^ Unexpected "}". Nothing may stand between the last comma and the bracket.'],
  ['{"a":1', '    1 | {"a":1\n      |       ^ The text ends too early'],
  ["", "    1 |\n      | ^ The text ends too early. Leave the arguments out for {}."],
  ['{"a":\n  nul}', '    1 | {"a":\n    2 |   nul}\n      |   ^ Unexpected word "nul"'],
  ["[1 2]", "    1 | [1 2]\n      |    ^ Unexpected number"],
  ['{"a":"x\ny"}', '    1 | {"a":"x\n      |        ^ Bad control character in string literal\n    2 | y"}'],
  ["😀", '    1 | 😀\n      | ^ Unexpected "😀"'],
];
for (const [text, frame] of MISTAKES) {
  test(`${JSON.stringify(text)} is refused with the place marked`, async () => {
    const { message } = await refusal(parseArguments(text, style));
    assert.equal(message, `The arguments are not valid JSON.\n${frame}`);
  });
}

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

test("stdin that isn't UTF-8 is refused", async () => {
  assert.match((await refusal(readBounded(Readable.from([Buffer.from([0xff, 0xfe])])))).message, /not UTF-8/);
});
