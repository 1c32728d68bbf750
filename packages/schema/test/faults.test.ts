import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "@fettle/contract";
import fc from "fast-check";
import { createSchemaEngine, formatPath, renderProblems } from "../src/index.js";
import { schemas, valuesOf } from "./describedValues.js";
import { type Fault, faultsOf } from "./faultsOf.js";

/** Both ways of deciding. */
const engines = [createSchemaEngine({ compileAfter: 0 }), createSchemaEngine({ compileAfter: Number.POSITIVE_INFINITY })];
const fitting: fc.Arbitrary<readonly [schema: JsonObject, value: Json]> = schemas.chain((schema) => fc.tuple(fc.constant(schema), valuesOf(schema)));
const json = (value: Json): string => JSON.stringify(value);

/** So that whoever changes it is caught in the act. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(Object.freeze(value))) frozen(inner);
  return value;
}

/** What a problem names is the place of the fault, or inside of it. */
function isAt(place: string, fault: string): boolean {
  return fault === "" || place === fault || place.startsWith(`${fault}.`) || place.startsWith(`${fault}[`);
}

test("a value made to fit a schema is valid, and comes out as the very value", () => {
  fc.assert(
    fc.property(fitting, ([schema, value]) => {
      for (const engine of engines) {
        const result = engine.compile(schema).check(value);
        assert.ok(result.valid, result.valid ? "" : renderProblems(result.problems));
        assert.equal(result.value, value);
        assert.deepEqual(result.repairs, []);
      }
    }),
    { numRuns: 300 },
  );
});

test("whichever keyword is broken: it is caught, its place is named, and nothing is said of other places", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fitting, ([schema, value]) => {
      for (const fault of faultsOf(schema, value)) {
        seen.add(fault.keyword);
        for (const engine of engines) assertCaught(engine.compile(schema).check(fault.value, { repair: false }), fault, schema);
      }
    }),
    { numRuns: 300 },
  );
  for (const keyword of KEYWORDS) assert.ok(seen.has(keyword), `no ${keyword} was broken`);
});

const KEYWORDS = [
  ...["type", "const", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format"],
  ...["minItems", "maxItems", "uniqueItems", "items", "required", "additionalProperties", "dependentRequired"],
  ...["propertyNames", "minProperties", "maxProperties"],
];

function assertCaught(result: ReturnType<ReturnType<(typeof engines)[0]["compile"]>["check"]>, { keyword, path, value }: Fault, schema: JsonObject): void {
  const place = formatPath(path);
  const about = `${keyword} at ${place} of ${json(schema)}: ${json(value)}`;
  assert.ok(!result.valid, `not caught: ${about}`);
  const text = renderProblems(result.problems);
  assert.ok(
    result.problems.some((problem) => problem.place === place),
    `${about}\n${text}`,
  );
  for (const problem of result.problems) assert.ok(isAt(problem.place, place), `${about}\n${text}`);
  assert.ok(text.includes(place), `${about}\n${text}`);
}

test("a value is never changed, whatever is wrong with it, and one that was mended is another", () => {
  fc.assert(
    fc.property(fitting, ([schema, value]) => {
      for (const each of [value, ...faultsOf(schema, value).map((fault) => fault.value)]) {
        const sent = frozen(JSON.parse(json(each)));
        const withDefault = { ...schema, properties: { ...(schema["properties"] as JsonObject), extra: { type: "array", default: [1] } } };
        for (const anySchema of [schema, withDefault]) {
          const result = engines[0]?.compile(anySchema).check(sent);
          assert.equal(json(sent), json(each));
          if (result?.valid && result.repairs.length > 0) assert.notEqual(result.value, sent);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("a message has its bounds whatever the names, values and texts of the schema are, and still says what came", () => {
  const long = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
  const longer = fc.string({ unit: "grapheme", minLength: 1, maxLength: 500 });
  fc.assert(
    fc.property(
      fc.uniqueArray(long, { minLength: 1, maxLength: 30 }),
      fc.uniqueArray(longer, { minLength: 2, maxLength: 30 }),
      longer,
      (keys, values, came) => {
        fc.pre(!values.includes(came));
        const schema = { type: "object", additionalProperties: false, properties: Object.fromEntries(keys.map((key) => [key, { enum: values }])) };
        const sent = Object.fromEntries([...keys, ...values].map((key) => [key, came]));
        const result = engines[0]?.compile(schema).check(sent, { repair: false });
        assert.ok(result !== undefined && !result.valid);
        const lines = renderProblems(result.problems).split("\n");
        assert.ok(lines.length <= 22, String(lines.length));
        for (const line of lines) assert.ok(line.length <= 402, line);
        for (const line of lines.filter((each) => each.includes(" must be one of "))) assert.ok(line.includes(", got "), line);
      },
    ),
    { numRuns: 300 },
  );
});
