import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonMistake } from "./jsonMistake.js";

const QUOTES = "JSON has straight double quotes only.";
const LIKE_THIS = `Write them like this: '{"limit": 5}'`;
const NULL = "Write null, or leave the member out.";
const NUMBER = "Numbers are written like 5, -5 and 0.5.";
const TEXTS = "Texts stand in double quotes; other words are true, false and null.";
const MISSING = "Before it a comma is missing, or a colon.";
const ENDED = "The arguments end before it: they are one JSON object.";

const MISTAKES: readonly (readonly [text: string, place: string, message: string, hint: string | undefined])[] = [
  ['{"a":"x\ty"}', "1:8", "A tab may not stand in a string as it is", "Write \\t in its place."],
  ['{"a":"x\ny"}', "1:8", "A line break may not stand in a string as it is", "Write \\n, or end the string before it."],
  ['{\n"a":"x\r\ny"}', "2:7", "A carriage return may not stand in a string as it is", "Write \\r, or end the string before it."],
  ['{"a":"\u0001"}', "1:7", "The control character U+0001 may not stand in a string as it is", "Write \\u0001 in its place."],
  ['{"a":"\b"}', "1:7", "The control character U+0008 may not stand in a string as it is", "Write \\b in its place."],
  ['{"a":"x\ty", "b":nope}', "1:8", "A tab may not stand in a string as it is", "Write \\t in its place."],
  ['{"b":nope, "a":"x\ty"}', "1:6", 'Unexpected word "nope"', TEXTS],
  ['{"a":"x\n, "b":1}', "1:8", "A line break may not stand in a string as it is", "Write \\n, or end the string before it."],
  ['{"a":"x}', "1:6", "This string has no end", 'Close it with ".'],
  ['{"a":"C:\\path"}', "1:9", "This is no escape", "A backslash itself is written \\\\."],
  ['{"a":"C:\\users"}', "1:10", "Behind \\u stand four hexadecimal digits", "A backslash itself is written \\\\."],
  ['{"a":"C:\\"}', "1:6", "This string has no end", 'Close it with ".'],
  ['{"a":"say "hi" now"}', "1:12", 'Unexpected "h"', 'A quote in a string is written \\".'],
  ["{limit: 5}", "1:2", 'Unexpected "l"', "Names stand in double quotes."],
  ['{"a":1, b:2}', "1:9", 'Unexpected "b"', "Names stand in double quotes."],
  ['{"a":"x", b": 1}', "1:11", 'Unexpected "b"', "Names stand in double quotes."],
  ['{"a":[x, y]}', "1:7", 'Unexpected "x"', TEXTS],
  ['{"a":["x", y]}', "1:12", 'Unexpected "y"', TEXTS],
  ["{'a':1}", "1:2", 'Unexpected "\'"', QUOTES],
  ['{"a":“x”}', "1:6", 'Unexpected "“"', QUOTES],
  ['{"a":\u00a01}', "1:6", "A character that isn't seen, U+00A0", "Write a plain blank, or none."],
  ['{"a":\u200b1}', "1:6", "A character that isn't seen, U+200B", "Write a plain blank, or none."],
  ['{"a":1,}', "1:8", 'Unexpected "}"', "Nothing may stand between the last comma and the bracket."],
  ['{"a":1', "1:7", "The text ends too early", undefined],
  ["{", "1:1", "The text ends too early", undefined],
  ["", "1:1", "The text ends too early", "Leave the arguments out for {}."],
  ["limit=5", "1:1", 'Unexpected "l"', LIKE_THIS],
  ["😀", "1:1", 'Unexpected "😀"', LIKE_THIS],
  ['// a\n{"a":1}', "1:1", 'Unexpected "/"', "JSON has no comments."],
  ['{"a":True}', "1:6", 'Unexpected "T"', "Write true."],
  ['{"a":None}', "1:6", 'Unexpected "N"', NULL],
  ['{"a":undefined}', "1:6", 'Unexpected "u"', NULL],
  ['{"a":NaN}', "1:6", 'Unexpected "N"', "JSON has no such number: write null, or leave the member out."],
  ['{"a":.5}', "1:6", 'Unexpected "."', NUMBER],
  ['{"a":+5}', "1:6", 'Unexpected "+"', NUMBER],
  ['{"a":05}', "1:6", 'Unexpected "0"', NUMBER],
  ["[1 2]", "1:4", "Unexpected number", MISSING],
  ['{"a":1 "b":2}', "1:8", "Unexpected string", MISSING],
  ['{"a" 1}', "1:6", "Unexpected number", MISSING],
  ['{"a":1}}', "1:8", 'Unexpected "}"', ENDED],
  ['{"a":1} x', "1:9", 'Unexpected "x"', ENDED],
];
for (const [text, place, message, hint] of MISTAKES) {
  test(`${JSON.stringify(text)} is wrong at ${place}`, async () => {
    const error = thrownBy(() => JSON.parse(text));
    const mistake = await jsonMistake(text, error);
    assert.deepEqual(mistake, { line: Number(place.split(":")[0]), column: Number(place.split(":")[1]), message, hint });
  });
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail("it is JSON");
}
