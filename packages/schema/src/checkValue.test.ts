import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonSchema } from "@fettle/contract";
import { type CheckOptions, createSchemaEngine, renderProblems } from "./index.js";

const engine = createSchemaEngine({ compileAfter: 0 });

const closed = (properties: Record<string, Json>, more: Record<string, Json> = {}): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  properties,
  ...more,
});
const open = (properties: Record<string, Json>, more: Record<string, Json> = {}): JsonSchema => ({ type: "object", properties, ...more });

function told(schema: JsonSchema, value: unknown, options?: CheckOptions): readonly string[] {
  const result = engine.compile(schema).check(value, options);
  return result.valid ? [] : result.problems.map(({ message }) => message);
}

test("all problems are told at once, each in a line with path, what was expected and what came", () => {
  const schema = closed(
    {
      customer_id: { type: "string" },
      priority: { enum: ["low", "normal", "high", "urgent"] },
      items: { type: "array", items: closed({ quantity: { type: "integer" } }) },
      ship_to: open({ country: { enum: ["FR", "DE", "NO", "US"] } }, { required: ["country"] }),
      deliver_on: { type: "string", format: "date" },
    },
    { required: ["customer_id"] },
  );
  const value = { customer_id: "C1", note: "hi", priority: "urgnet", items: [{ quantity: "2" }], ship_to: {}, deliver_on: "tomorrow" };
  const result = engine.compile(schema).check(value);
  assert.ok(!result.valid);
  assert.equal(
    renderProblems(result.problems),
    [
      "5 problems:",
      "- unknown argument note. Allowed here: customer_id, priority, items, ship_to, deliver_on",
      '- priority must be one of ["low","normal","high","urgent"], got "urgnet". Did you mean "urgent"?',
      '- items[0].quantity: expected integer, got string "2". Send 2 without quotes',
      '- missing ship_to.country: required, one of ["FR","DE","NO","US"]',
      '- deliver_on must match format date (YYYY-MM-DD, e.g. "2026-12-31"), got "tomorrow"',
    ].join("\n"),
  );
});

const lines: readonly (readonly [title: string, schema: JsonSchema, value: unknown, expected: readonly string[]])[] = [
  [
    "a misspelt key beside the missing one is one line",
    closed({ country_code: { type: "string" }, city: {} }, { required: ["country_code"] }),
    { contry_code: "FR", city: "x" },
    ["unknown argument contry_code. Did you mean country_code? Allowed here: country_code, city"],
  ],
  [
    "in an open object the missing key mentions the stray one",
    open({ country_code: { type: "string" } }, { required: ["country_code"] }),
    { contry_code: "FR" },
    ["missing country_code: required, string. You sent contry_code: did you mean country_code?"],
  ],
  [
    "a key that is present already is never suggested",
    closed({ user_id: {} }),
    { user_id: 1, user_idd: 2 },
    ["unknown argument user_idd. Allowed here: user_id"],
  ],
  ["a tool without parameters says so", closed({}), { x: 1 }, ["unknown argument x. No arguments are allowed here"]],
  ["both ends of a range are told", open({ n: { type: "integer", minimum: 1, maximum: 50 } }), { n: 0 }, ["n must be between 1 and 50, got 0"]],
  ["open ends of a range are told as such", open({ n: { exclusiveMinimum: 0, maximum: 1 } }), { n: 0 }, ["n must be more than 0 and at most 1, got 0"]],
  ["a number that isn't a multiple is told the step", open({ n: { multipleOf: 0.05 } }), { n: 0.12 }, ["n must be a multiple of 0.05, got 0.12"]],
  ["lengths count characters, not code units", open({ s: { type: "string", minLength: 2 } }), { s: "💩" }, ['s must have at least 2 characters, got 1: "💩"']],
  ["a dependency is told as what it requires", open({ a: {}, b: {} }, { dependentRequired: { a: ["b"] } }), { a: 1 }, ["a requires b to be set"]],
  [
    "at least one of several is one sentence",
    open({ a: {}, b: {} }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
    {},
    ["set at least one of: a or b"],
  ],
  [
    "two of an exclusive choice are one sentence",
    open({ a: {}, b: {} }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
    { a: 1, b: 2 },
    ["set only one of a, b: a, b were sent together"],
  ],
  [
    "a value that fits two of oneOf names them",
    open({ v: { oneOf: [{ type: "integer", title: "whole" }, { type: "number" }] } }),
    { v: 3 },
    ["v must fit exactly one of 2 forms, but fits whole and form 2"],
  ],
  [
    "a union of types is one line",
    open({ v: { anyOf: [{ type: "number" }, { type: "boolean" }] } }),
    { v: "x" },
    ['v: expected number or boolean, got string "x". Send true or false, without quotes'],
  ],
  [
    "a union of formats is one line",
    open({
      v: {
        anyOf: [
          { type: "string", format: "ipv4" },
          { type: "string", format: "ipv6" },
        ],
      },
    }),
    { v: "x" },
    ['v must be string in format ipv4 (e.g. "192.0.2.1") or string in format ipv6 (e.g. "2001:db8::1"), got string "x"'],
  ],
  ["a union of constants is an enum", open({ v: { oneOf: [{ const: "a" }, { const: "b" }] } }), { v: "c" }, ['v must be one of ["a","b"], got "c"']],
  [
    "a condition that applies is told",
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    open({ mode: {}, size: {} }, { if: { properties: { mode: { const: "small" } }, required: ["mode"] }, then: { properties: { size: { maximum: 10 } } } }),
    { mode: "small", size: 50 },
    ['size must be at most 10, got 50 (because mode is "small")'],
  ],
  ["what is forbidden is told", open({ v: { not: { enum: ["a", "b"] } } }), { v: "a" }, ['v must not be one of ["a","b"], got string "a"']],
  ["a forbidden constant is told", open({ v: { not: { const: 1 } } }), { v: 1 }, ["v must not be 1, got number 1"]],
  ["a forbidden type is told", open({ v: { not: { type: "null" } } }), { v: null }, ["v must not be of type null, got null"]],
  [
    "a forbidden combination is told",
    open({}, { not: { required: ["a", "b"] } }),
    { a: 1, b: 1 },
    ['the arguments must not have a together with b, got object {"a":1,"b":1}'],
  ],
  ["a forbidden member is told", open({ v: false }), { v: 1 }, ["v is not allowed here, got number 1"]],
  [
    "twins are told with their places",
    open({ t: { type: "array", uniqueItems: true } }),
    {
      t: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    },
    ['t must not hold the same item twice: items 0 and 1 are both {"b":2,"a":1}'],
  ],
  [
    "what must be contained is told",
    open({ t: { type: "array", contains: { const: "x" } } }),
    { t: ["y"] },
    ['t must contain at least 1 item like this: "x", got 0'],
  ],
  [
    "too many of what is contained are told",
    open({ t: { type: "array", contains: { type: "string" }, maxContains: 1 } }),
    { t: ["a", "b"] },
    ["t must contain exactly 1 item like this: string, got 2"],
  ],
  [
    "bad keys of a map are told",
    open({ t: { propertyNames: { pattern: "^[a-z]+$" } } }),
    { t: { Bad: 1 } },
    ['argument name t.Bad must match pattern ^[a-z]+$, got "Bad"'],
  ],
  [
    "keys outside of the patterns of a closed map are told",
    closed({}, { patternProperties: { "^x-": { type: "integer" } } }),
    { y: 1, "x-a": "q" },
    ["unknown argument y. Keys here must match pattern ^x-", 'x-a: expected integer, got string "q"'],
  ],
  [
    "keys that are allowed by name or by pattern are both told",
    closed({ a: {} }, { patternProperties: { "^x-": {} } }),
    { a: 1, y: 1, "x-a": 1 },
    ["unknown argument y. Allowed here: a and keys that match pattern ^x-"],
  ],
  [
    "counts of members are told",
    open({ t: { minProperties: 1 }, u: { maxProperties: 1 } }),
    { t: {}, u: { a: 1, b: 2 } },
    ["t must have at least 1 member, got 0", "u must have at most 1 member, got 2"],
  ],
  ["a tuple that is too long is told", open({ t: { prefixItems: [{}, {}], items: false } }), { t: [1, 2, 3] }, ["t must have at most 2 items, got 3"]],
  [
    "items beyond those described are told",
    { prefixItems: [{}], unevaluatedItems: false },
    [1, 2],
    ["the arguments must have no more items than its schema describes: item 1 is 2"],
  ],
  [
    "keys that no schema describes are told",
    { allOf: [open({ name: {} })], unevaluatedProperties: false },
    { name: 1, nmae: 2 },
    ["unknown argument nmae. Allowed here: name"],
  ],
  [
    "a misspelt key that no schema describes is told which was meant, behind references too",
    { $ref: "#/$defs/base", $defs: { base: { allOf: [open({ name: {}, "x y": {} })] } }, unevaluatedProperties: false },
    { nmae: 2, other: 1 },
    ['unknown argument nmae. Did you mean name? Allowed here: name, "x y"', "unknown argument other"],
  ],
  [
    "each argument that another one requires is a line that says what fits",
    open({ a: {}, b: { const: "x" }, c: { type: "integer", default: 5 } }, { dependentRequired: { a: ["b", "c", "d"] } }),
    { a: 1 },
    ['a requires b to be set, "x"', "a requires c to be set, integer. The default is 5", "a requires d to be set"],
  ],
  [
    "a pattern is told with an example that matches it",
    open({ id: { type: "string", pattern: "^[A-Z]+-\\d+$", examples: ["no", "AB-12"] } }),
    { id: "ab-12" },
    ['id must match pattern ^[A-Z]+-\\d+$ (e.g. "AB-12"), got "ab-12"'],
  ],
  [
    "names that aren't plain are in quotes",
    closed({ "a, b": {}, "did\nyou": {}, c: {} }),
    { "a, bb": 1 },
    ['unknown argument ["a, bb"]. Did you mean "a, b"? Allowed here: "a, b", "did\\nyou", c'],
  ],
  [
    "of many unknown keys those that were misspelt are told first",
    closed({ country: {}, city: {} }),
    { k1: 1, k2: 1, k3: 1, k4: 1, k5: 1, contry: 1, k6: 1 },
    [
      "unknown argument contry. Did you mean country? Allowed here: country, city",
      "unknown argument k1",
      "unknown argument k2",
      "unknown argument k3",
      "3 more unknown arguments: k4, k5, k6",
    ],
  ],
  ["one value where a list is wanted", open({ v: { type: "array" } }), { v: 5 }, ["v: expected array, got number 5. Send a list in square brackets"]],
  [
    "a list of one where its item is wanted",
    open({ v: { type: "string" } }),
    { v: ["a"] },
    ['v: expected string, got array ["a"]. Send the item without the list'],
  ],
  ["a text with blanks around a number", open({ v: { type: "integer" } }), { v: " 5" }, ['v: expected integer, got string " 5". Send 5 without quotes']],
  ...["+5", "5.", "5e0"].map(
    (text) =>
      [
        `a number written as ${text}`,
        open({ v: { type: "integer" } }),
        { v: text },
        [`v: expected integer, got string "${text}". Send 5 without quotes`],
      ] as const,
  ),
  ["a fraction without its zero", open({ v: { type: "number" } }), { v: ".5" }, ['v: expected number, got string ".5". Send 0.5 without quotes']],
  ["zeros in front", open({ v: { type: "integer" } }), { v: "0123" }, ['v: expected integer, got string "0123"']],
  ["a word for nothing", open({ v: { type: "integer" } }), { v: "None" }, ['v: expected integer, got string "None". Leave it out where there is no value']],
  [
    "an object in a block of code",
    open({ v: { type: "object" } }),
    { v: "```json\n{}\n```" },
    ['v: expected object, got string "```json\\n{}\\n```". Send the object itself, not as text'],
  ],
  [
    "an enum value in quotes of its own",
    open({ v: { enum: ["asc", "desc"] } }),
    { v: "'asc'" },
    ['v must be one of ["asc","desc"], got "\'asc\'". Did you mean "asc"?'],
  ],
  [
    "an enum value in a list",
    open({ v: { enum: ["asc", "desc"] } }),
    { v: ["asc"] },
    ['v must be one of ["asc","desc"], got array ["asc"]. Send the item without the list'],
  ],
  ["null in quotes among values", open({ v: { enum: ["a", null] } }), { v: "null" }, ['v must be one of ["a",null], got "null". Send null without quotes']],
  ["null in quotes", open({ v: { enum: ["a", "b"] } }), { v: "null" }, ['v must be one of ["a","b"], got "null". Leave it out where there is no value']],
  ["true in another case", open({ v: { type: "boolean" } }), { v: "True" }, ['v: expected boolean, got string "True". Send true without quotes']],
  [
    "nothing in a text is told to be left out",
    open({ v: { enum: ["a", "b"] }, w: { type: "string", pattern: "^a" }, x: { type: "string", minLength: 1 } }),
    { v: "", w: " ", x: "" },
    [
      'v must be one of ["a","b"], got "". Leave it out where there is no value',
      'w must match pattern ^a, got " ". Leave it out where there is no value',
      'x must have at least 1 character, got 0: "". Leave it out where there is no value',
    ],
  ],
  [
    "a number of which digits were lost isn't to be sent as text",
    open({ id: { type: "string" } }),
    JSON.parse('{"id":1917043659912705296}'),
    ["id: expected string, got number 1917043659912705300. Put the number in quotes as it was: digits of what came were lost on the way"],
  ],
  [
    "a text that was encoded twice",
    open({ v: { type: "object" } }),
    { v: '"{\\"a\\":1}"' },
    ['v: expected object, got string "\\"{\\\\\\"a\\\\\\":1}\\"". Send the object itself, not as text'],
  ],
  [
    "nothing where a number is wanted",
    open({ v: { type: "integer" } }),
    { v: "" },
    ['v: expected integer, got string "". Leave it out where there is no value'],
  ],
  ["a boolean where a text is wanted", open({ v: { type: "string" } }), { v: true }, ["v: expected string, got boolean true. Put it in quotes"]],
  [
    "nothing is advised that would be none of the values",
    open({ v: { type: "string", enum: ["a"] }, w: { type: "integer", enum: [1, 2] }, x: { enum: ["5", "6"] } }),
    { v: 5, w: "7", x: 6 },
    [
      'v: expected string, one of ["a"], got number 5',
      'w: expected integer, one of [1,2], got string "7"',
      'x must be one of ["5","6"], got number 6. Put it in quotes',
    ],
  ],
  [
    "a value with a blank too many",
    open({ v: { enum: ["low", "high"] } }),
    { v: " low" },
    ['v must be one of ["low","high"], got " low". Did you mean "low"?'],
  ],
  [
    "a wrong type drops what would follow from it",
    open({ v: { type: "string", minLength: 5, pattern: "^a", enum: ["abcde"] } }),
    { v: [1] },
    ['v: expected string, one of ["abcde"], got array [1]'],
  ],
  [
    "what two schemas say of one place is told once",
    { allOf: [open({ a: {} }, { required: ["a"] }), open({ a: {} }, { required: ["a"] })] },
    {},
    ["missing a: required"],
  ],
  [
    "a text that isn't JSON says so",
    open({ v: { type: "object" } }),
    { v: '{"a": 1' },
    ['v: expected object, got string "{\\"a\\": 1". The text is not valid JSON; send the object itself'],
  ],
  [
    "what is wrong inside of a JSON text is told with it",
    open({ v: { type: "array", items: { enum: ["a"] } } }),
    { v: '["c"]' },
    ['v: expected array, got string "[\\"c\\"]". Send the array itself, not as text', 'v[0] must be "a", got "c"'],
  ],
  ["a fraction is told to send a whole number", open({ n: { type: "integer" } }), { n: 3.5 }, ["n: expected integer, got number 3.5. Send a whole number"]],
  ["a fraction in quotes too", open({ n: { type: "integer" } }), { n: "3.5" }, ['n: expected integer, got string "3.5". Send a whole number, without quotes']],
  [
    "digits that were lost are told",
    open({ n: { type: "integer" } }),
    JSON.parse('{"n":725653563933458432}'),
    [
      "n: expected integer, got number 725653563933458400. It is too large to be exact: digits were lost on the way. Send it as a string where the tool takes one",
    ],
  ],
  ["infinity is told", open({ n: { type: "number" } }), JSON.parse('{"n":1e400}'), ["n: expected number, got number Infinity. It is too large for a number"]],
  [
    "a list without brackets is told",
    open({ v: { type: "array" } }),
    { v: "red,blue" },
    ['v: expected array, got string "red,blue". Send a list in square brackets'],
  ],
  [
    "the text null is told",
    open({ v: { type: "integer" } }),
    { v: "null" },
    ['v: expected integer, got string "null". Leave it out, or send null without quotes where that is allowed'],
  ],
  ["keys that aren't plain are quoted", open({ "a b": { type: "integer" } }), { "a b": "x" }, ['["a b"]: expected integer, got string "x"']],
];

for (const [title, schema, value, expected] of lines) test(title, () => assert.deepEqual(told(schema, value), expected));

const user = closed({ kind: { const: "user" }, user_id: { type: "integer" } }, { required: ["kind", "user_id"] });
const team = closed({ kind: { const: "team" }, slug: { type: "string", pattern: "^[a-z-]+$" } }, { required: ["kind", "slug"] });
const tagged = open({ target: { oneOf: [{ $ref: "#/$defs/user" }, { $ref: "#/$defs/team" }] } }, { $defs: { user, team } });

test("of a union with a tag only the branch that was meant is told", () => {
  assert.deepEqual(told(tagged, { target: { kind: "team", slug: "Bad Slug" } }), ['target.slug must match pattern ^[a-z-]+$, got "Bad Slug"']);
  assert.deepEqual(told(tagged, { target: { kind: "usr" } }), ['target.kind must be one of ["user","team"], got "usr". Did you mean "user"?']);
  assert.deepEqual(told(tagged, { target: {} }), ['missing target.kind: required, one of ["user","team"]']);
});

test("a tag that several branches share leaves the choice to the rest", () => {
  const schema: JsonSchema = {
    anyOf: [
      open({ kind: { const: "a" }, x: { type: "integer" } }, { required: ["kind", "x"] }),
      open({ kind: { const: "a" }, y: { type: "integer" }, z: {} }, { required: ["kind", "y", "z"] }),
      open({ kind: { const: "b" } }, { required: ["kind"] }),
    ],
  };
  assert.deepEqual(told(schema, { kind: "a", x: "no" }), ['x: expected integer, got string "no"']);
});

test("without a tag the branch by which the least is wrong is told, or all by name", () => {
  const schema = open({
    to: { anyOf: [closed({ email: {} }, { required: ["email"] }), closed({ phone: { type: "string" }, ext: {} }, { required: ["phone"] })] },
  });
  assert.deepEqual(told(schema, { to: { phone: [5], ext: 1 } }), ["to.phone: expected string, got array [5]"]);
  assert.deepEqual(told(schema, { to: {} }), ["to must be object with email or object with phone, got object {}"]);
});

test("many unknown keys are told in five lines, with the count of the rest", () => {
  const value = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i]));
  const messages = told(closed({ a: {} }), value);
  assert.equal(messages.length, 5);
  assert.match(messages[4] ?? "", /^296 more unknown arguments: k4, k5, k6, k7, k8 and 291 more$/);
});

test("at most twenty lines and fifteen values are told, and that there are more", () => {
  const result = engine.compile({ type: "array", items: { type: "integer" } }).check(Array.from({ length: 90 }, () => "x"));
  assert.ok(!result.valid);
  const text = renderProblems(result.problems);
  assert.match(text, /^more than 20 problems:\n/);
  assert.equal(text.split("\n").length, 22);
  const values = Array.from({ length: 80 }, (_, i) => `C${100 + i}`);
  assert.match(told({ enum: values }, "C999")[0] ?? "", /"C114", and 65 more\], got "C999"$/);
});

test("what would be mended where repairs are on is told in a way that it can be mended by", () => {
  const off: CheckOptions = { repair: false };
  assert.deepEqual(told(open({ zone: { type: "string", default: "UTC" } }, { required: ["zone"] }), {}, off), [
    'missing zone: required, string. The default is "UTC"',
  ]);
  assert.deepEqual(told(open({ n: { type: "integer" } }), { n: null }, off), ["n: expected integer, got null. Leave it out where there is no value"]);
});

test("what came and what was meant are told however long the values are", () => {
  const values = Array.from({ length: 15 }, (_, i) => `${"v".repeat(30)}${i}`);
  const message = told(open({ at: { enum: values } }), { at: `${"v".repeat(30)}l4` })[0] ?? "";
  assert.match(message, /, and \d+ more\], got "v{30}l4"\. Did you mean "v{30}4"\?$/);
  assert.ok(message.length < 400);
  const union = open({ at: { anyOf: values.map((title, i) => ({ type: "object", title, required: [`${title}${i}`] })) } });
  assert.match(told(union, { at: 5 })[0] ?? "", /^at: expected object .*…, got number 5$/);
});

test("a message names things as the caller wishes", () => {
  assert.deepEqual(told(closed({}), { x: 1 }, { words: { root: "the spec", key: "key" } }), ["unknown key x. No keys are allowed here"]);
  assert.deepEqual(told({ type: "object" }, [], { words: { root: "the spec", key: "key" } }), ["the spec: expected object, got array []"]);
});

test("a problem carries the schema that holds the keyword, the key and the suggestion", () => {
  const inner = { $comment: "R-1", ...Object(closed({ retries: {} })) };
  const result = engine.compile(open({ a: inner })).check({ a: { retires: 1 } });
  assert.ok(!result.valid);
  const [problem] = result.problems;
  assert.deepEqual(problem?.path, ["a"]);
  assert.equal(problem?.key, "retires");
  assert.equal(problem?.suggestion, "retries");
  assert.ok(typeof problem?.schema === "object" && problem.schema["$comment"] === "R-1");
});

test("plain JSON Schema is had by leaving everything else out", () => {
  const plain: CheckOptions = { repair: false, defaults: false, formats: false, exactIntegers: false };
  const schema = open({ d: { format: "date" }, n: { type: "integer", default: 1 }, m: { type: "integer" } });
  assert.deepEqual(engine.compile(schema).check(JSON.parse('{"d":"x","m":725653563933458432}'), plain), {
    valid: true,
    value: { d: "x", m: 725653563933458400 },
    repairs: [],
  });
  assert.equal(engine.compile(schema).check({ n: "5" }, plain).valid, false);
});

test("a schema answers alike before and after it is compiled", () => {
  const schema: JsonSchema = { type: "object", required: ["at"], properties: { at: { type: "string", format: "date" }, n: { type: "integer", default: 1 } } };
  const warming = createSchemaEngine({ compileAfter: 100 }).compile(schema);
  const answers = Array.from({ length: 20 }, () => [warming.check({ at: "2026-12-31" }), warming.check({ at: "tomorrow", n: "x" })]);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.deepEqual(
    answers[0]?.map(({ valid }) => valid),
    [true, false],
  );
});
