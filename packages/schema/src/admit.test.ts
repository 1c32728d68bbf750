import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonSchema } from "@fettle/contract";
import { createSchemaEngine, formatPath } from "./index.js";

const engine = createSchemaEngine();
const found = (schema: JsonSchema): readonly string[] => engine.admit(schema).map(({ severity, code, path }) => `${severity} ${code} ${formatPath(path)}`);
const property = (schema: Json): JsonSchema => ({ type: "object", properties: { v: schema } });

const refused: readonly (readonly [title: string, schema: JsonSchema, finding: string, message: RegExp])[] = [
  ["a type that isn't one", property({ type: "strng" }), "error schema/invalid-keyword properties.v.type", /must be one of .* got "strng"/],
  ["a type of another language", property({ type: "int" }), "error schema/invalid-keyword properties.v.type", /got "int"/],
  ["a bound in quotes", property({ minimum: "5" }), "error schema/invalid-keyword properties.v.minimum", /must be a number, got "5"/],
  ["an exclusive bound of draft-04", property({ exclusiveMinimum: true }), "error schema/invalid-keyword properties.v.exclusiveMinimum", /must be a number/],
  ["required of draft-03", property({ required: true }), "error schema/invalid-keyword properties.v.required", /list of strings/],
  ["a negative length", property({ minLength: -1 }), "error schema/invalid-keyword properties.v.minLength", /whole number, 0 or more/],
  ["a step of zero", property({ multipleOf: 0 }), "error schema/invalid-keyword properties.v.multipleOf", /above 0/],
  ["an empty union", property({ anyOf: [] }), "error schema/invalid-keyword properties.v.anyOf", /at least one/],
  [
    "a list for items in 2020-12",
    property({ type: "array", items: [{ type: "string" }] }),
    "error schema/invalid-keyword properties.v.items",
    /one schema in 2020-12/,
  ],
  ["properties that are no object", { type: "object", properties: [] }, "error schema/invalid-keyword properties", /object of schemas/],
  ["a property that is no schema", { properties: { v: "string" } }, "error schema/invalid-keyword properties", /object of schemas/],
  ["an enum that is no list", property({ enum: "a" }), "error schema/invalid-keyword properties.v.enum", /list of values/],
  [
    "a pattern with an escape that means nothing",
    property({ pattern: "^https\\:\\/\\/" }),
    "error schema/bad-pattern properties.v.pattern",
    /no regular expression/,
  ],
  ["a pattern of Python", property({ pattern: "(?P<year>\\d{4})" }), "error schema/bad-pattern properties.v.pattern", /no regular expression/],
  ["a pattern with look-behind", property({ pattern: "(?<=a+)b" }), "error schema/unsafe-pattern properties.v.pattern", /look-behind/],
  ["a pattern with a back-reference", property({ pattern: "(a)\\1" }), "error schema/unsafe-pattern properties.v.pattern", /back-references/],
  ["a key pattern that can't be read", { patternProperties: { "(": {} } }, 'error schema/bad-pattern patternProperties["("]', /no regular expression/],
  ["a reference to the network", property({ $ref: "http://127.0.0.1:9/s.json" }), "error schema/remote-ref properties.v.$ref", /nothing is ever fetched/],
  ["a reference to nowhere", property({ $ref: "#/$defs/Missing" }), "error schema/dangling-ref properties.v.$ref", /Missing leads nowhere/],
  ["a reference to an anchor that isn't there", property({ $ref: "#here" }), "error schema/dangling-ref properties.v.$ref", /leads nowhere/],
  [
    "references in a circle",
    { properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } } },
    "error schema/ref-loop properties.a.$ref.$ref.$ref",
    /comes back to itself/,
  ],
  ["a circle through allOf", { allOf: [{ $ref: "#" }] }, "error schema/ref-loop allOf[0].$ref", /comes back to itself/],
  ["a dialect that isn't known", { $schema: "http://json-schema.org/draft-04/schema#" }, "error schema/unknown-dialect $schema", /draft-04/],
  ["a $schema that is no text", { $schema: 7 }, "error schema/unknown-dialect $schema", /isn't known/],
  ["recursion of 2019-09", property({ $recursiveRef: "#" }), "error schema/unknown-keyword properties.v.$recursiveRef", /isn't enforced/],
];

for (const [title, schema, finding, message] of refused) {
  test(`refused: ${title}`, () => {
    const findings = engine.admit(schema);
    assert.ok(found(schema).includes(finding), found(schema).join("\n"));
    assert.ok(
      findings.some((each) => message.test(each.message)),
      findings.map((each) => each.message).join("\n"),
    );
    assert.throws(() => engine.compile(schema).check({}), TypeError);
  });
}

test("schemas too deep, too large or with too many patterns are refused at once", () => {
  let deep: JsonSchema = {};
  for (let i = 0; i < 8_000; i += 1) deep = { properties: { a: deep } };
  const started = performance.now();
  assert.deepEqual(found(deep), ["error schema/too-deep "]);
  assert.deepEqual(found({ description: "x".repeat(2_000_000) }), ["error schema/too-large "]);
  const patterns = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`^k${i}$`, {}]));
  assert.ok(found({ patternProperties: patterns }).some((each) => each.startsWith("error schema/too-large")));
  assert.ok(performance.now() - started < 20_000);
});

const warned: readonly (readonly [title: string, schema: JsonSchema, finding: string])[] = [
  ["nullable of OpenAPI", property({ type: "string", nullable: true }), "warning schema/unknown-keyword properties.v.nullable"],
  ["a misspelt keyword", property({ type: "string", maxLenght: 3 }), "warning schema/unknown-keyword properties.v.maxLenght"],
  ["dependencies in 2020-12", { dependencies: { a: ["b"] } }, "warning schema/unknown-keyword dependencies"],
  ["a format that isn't enforced", property({ format: "uint64" }), "warning schema/unknown-format properties.v.format"],
  ["bounds that nothing fits", property({ minimum: 5, maximum: 1 }), "warning schema/unsatisfiable properties.v.minimum"],
  [
    "what draft-07 ignores beside $ref",
    { $schema: "http://json-schema.org/draft-07/schema#", properties: { t: { $ref: "#/definitions/T", maxItems: 1 } }, definitions: { T: {} } },
    "warning schema/ignored-keyword properties.t.maxItems",
  ],
  [
    "unevaluatedProperties in draft-07",
    { $schema: "http://json-schema.org/draft-07/schema", unevaluatedProperties: false },
    "warning schema/unknown-keyword unevaluatedProperties",
  ],
];

for (const [title, schema, finding] of warned) {
  test(`warned of: ${title}`, () => {
    assert.deepEqual(found(schema), [finding]);
    assert.doesNotThrow(() => engine.compile(schema).check({}));
  });
}

test("a hint says what was meant", () => {
  const hint = (schema: JsonSchema): string | undefined => engine.admit(schema)[0]?.hint;
  assert.equal(hint(property({ type: "int" })), "Did you mean integer?");
  assert.equal(hint(property({ type: "any" })), "Leave type out to allow anything.");
  assert.equal(hint(property({ format: "datetime" })), "Did you mean date-time?");
  assert.match(hint({ properties: { v: { $ref: "#/$defs/B" } }, $defs: { A: {} } }) ?? "", /there are #\/\$defs\/A\./);
});

test("whatever is plain is admitted without a word", () => {
  assert.deepEqual(found(true), []);
  assert.deepEqual(
    found({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      "x-note": 1,
      properties: { tree: { $ref: "#/$defs/n" } },
      $defs: { n: { type: "object", properties: { kids: { items: { $ref: "#/$defs/n" } } } } },
    }),
    [],
  );
});
