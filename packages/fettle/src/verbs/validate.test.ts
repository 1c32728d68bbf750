import assert from "node:assert/strict";
import { test } from "node:test";
import { type ValidateOptions, validate } from "./validate.js";

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* parts;
}

async function answers(input: AsyncIterable<string | Uint8Array>, options: Partial<ValidateOptions> = {}): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  await validate(input, (line) => lines.push(line), { lint: false, coerce: true, ...options });
  return lines.map((line) => JSON.parse(line));
}

const one = async (line: object, options: Partial<ValidateOptions> = {}): Promise<Record<string, unknown>> =>
  (await answers(chunks(JSON.stringify(line)), options))[0] ?? {};

const schema = { type: "object", additionalProperties: false, properties: { n: { type: "integer", default: 1 }, d: { type: "string", format: "date" } } };

test("a valid line is answered with its arguments and their defaults", async () => {
  assert.deepEqual(await one({ id: "a", schema, args: {} }), { id: "a", valid: true, args: { n: 1 }, repairs: [], problems: [], text: "", lint: [] });
});

test("a mended line is answered with its repairs", async () => {
  assert.deepEqual(await one({ id: 1, schema, args: { n: "5" } }), {
    id: 1,
    valid: true,
    args: { n: 5 },
    repairs: [{ path: "n", from: "5", to: 5 }],
    problems: [],
    text: "",
    lint: [],
  });
});

test("an invalid line is answered with every problem and the text of all", async () => {
  const answer = await one({ id: 1, schema, args: { n: "x", z: 1 } });
  assert.equal(answer["valid"], false);
  assert.deepEqual(answer["problems"], [
    { path: "z", keyword: "additionalProperties", message: "unknown argument z. Allowed here: n, d" },
    { path: "n", keyword: "type", message: 'n: expected integer, got string "x"' },
  ]);
  assert.match(String(answer["text"]), /^2 problems:\n- unknown argument z/);
});

test("without coerce it is plain JSON Schema: no repairs, no defaults, formats only annotate", async () => {
  assert.deepEqual((await one({ id: 1, schema, args: { d: "tomorrow" } }, { coerce: false }))["args"], { d: "tomorrow" });
  assert.equal((await one({ id: 1, schema, args: { n: "5" } }, { coerce: false }))["valid"], false);
});

test("a refused schema is a load error with its place", async () => {
  const answer = await one({ id: 1, schema: { properties: { "a/b": { $ref: "#/$defs/Missing" } } }, args: {} });
  assert.deepEqual(Object.keys(answer), ["id", "load_error"]);
  assert.deepEqual(answer["load_error"], {
    path: "/properties/a~1b/$ref",
    message: "$ref #/$defs/Missing leads nowhere in this schema. Put the schema there, or mend the pointer: the schema has no $defs.",
  });
});

test("no schema means anything, no arguments mean an empty object", async () => {
  assert.deepEqual((await one({ id: 1 }))["args"], {});
  assert.deepEqual((await one({ id: 1, args: [1] }))["args"], [1]);
  assert.equal((await one({ id: 1, schema, args: null }))["valid"], true);
});

test("raw JSON is parsed here, so that what a number loses is seen", async () => {
  assert.equal((await one({ id: 1, schema, args_json: '{"n":725653563933458432}' }))["valid"], false);
  assert.match(String((await one({ id: 1, schema, args_json: "{" }))["text"]), /not valid JSON/);
});

test("YAML is read as specs are, and never mended", async () => {
  assert.deepEqual((await one({ id: 1, schema, yaml: "n: 5\n" }))["args"], { n: 5 });
  assert.equal((await one({ id: 1, schema, yaml: 'n: "5"\n' }))["valid"], false);
  assert.match(String((await one({ id: 1, yaml: "a: 1\na: 2\n" }))["text"]), /line 2, column 1 \(a: 2\)/);
  assert.match(
    String((await one({ id: 1, yaml: "%YAML 1.1\n---\nstart: 2026-01-05\nok: [NO]\n" }))["text"]),
    /start would be no string there; ok\[0\] would be no string there/,
  );
  const merged = await one({ id: 1, yaml: "base: &b {t: 1}\nx:\n  <<: *b\n" }, { lint: true });
  assert.deepEqual(merged["args"], { base: { t: 1 }, x: { "<<": { t: 1 } } });
  assert.ok(String(merged["lint"]).includes("spec/"));
});

test("lint names the rules of portability that the schema breaks", async () => {
  assert.deepEqual((await one({ id: 1, schema: { type: "object", properties: { a: { type: "array" } } }, args: {} }, { lint: true }))["lint"], ["array-items"]);
});

test("lines may come in any pieces, and what can't be read costs no other line its answer", async () => {
  const bytes = new TextEncoder().encode('{"id":"é","args":{"t":"ü"}}\n\nnot json\n[1]\n{"id":2,"schema":7}\n{"id":3}');
  const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
  const all = await answers(chunks(...pieces));
  assert.deepEqual(
    all.map(({ id, valid, text }) => [id, valid, String(text).split("\n").at(-1)]),
    [
      ["é", true, ""],
      [null, false, "- the line is not valid JSON"],
      [null, false, "- the line is no JSON object"],
      [null, false, "- schema must be an object, true or false"],
      [3, true, ""],
    ],
  );
});

test("a line that is too long is answered, and so is the next", async () => {
  const part = "x".repeat(1024 * 1024);
  const all = await answers(chunks('{"id":1,"args":"', ...Array.from({ length: 9 }, () => part), '"}\n{"id":2}\n'));
  assert.deepEqual(
    all.map(({ id, valid }) => [id, valid]),
    [
      [null, false],
      [2, true],
    ],
  );
  const last = await answers(chunks(...Array.from({ length: 9 }, () => part)));
  assert.match(String(last[0]?.["text"]), /longer than 8 MiB/);
});

test("arguments nested 12,000 levels deep are refused, not fatal", async () => {
  const answer = await one({ id: 1, schema: { type: "object" }, args_json: `{"a":${"[".repeat(12_000)}${"]".repeat(12_000)}}` });
  assert.match(String(answer["text"]), /nested more than 64 levels/);
});
