import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding, ToolSpec } from "@fettle/contract";
import { createSchemaEngine, type SchemaEngine } from "@fettle/schema";
import { testSpec } from "@fettle/testkit";
import { toolRules } from "./toolRules.js";

const engine = createSchemaEngine();
const specOf = (fields: Readonly<Record<string, unknown>> = {}): ToolSpec => testSpec("probe", fields) as unknown as ToolSpec;

/** Codes with places: `spec/date-order deprecation.sunset`. */
function findingsOf(fields: Readonly<Record<string, unknown>>, options: { readonly file?: string; readonly engine?: SchemaEngine } = {}): readonly string[] {
  return [...toolRules(specOf(fields), { file: options.file ?? "/tools/probe.tool.yaml", engine: options.engine ?? engine })].map(
    ({ code, path = [] }) => `${code} ${path.join(".")}`,
  );
}

function only(fields: Readonly<Record<string, unknown>>, file = "probe.tool.yaml"): Finding {
  const [finding, ...more] = toolRules(specOf(fields), { file, engine });
  assert.ok(finding);
  assert.deepEqual(more, []);
  return finding;
}

test("a plain spec has no findings", () => {
  assert.deepEqual(findingsOf({}), []);
});

test("a suffix is compared by whole parts of the version", () => {
  for (const suffix of ["1", "1.4", "1.4.0", "1.4.0-rc.1"])
    assert.deepEqual(findingsOf({ version: "1.4.0-rc.1+b" }, { file: `probe@${suffix}.tool.yaml` }), []);
  for (const suffix of ["", "2", "1.", "10", "1.40", "v1"]) {
    assert.deepEqual(findingsOf({ version: "1.4.0-rc.1+b" }, { file: `probe@${suffix}.tool.yaml` }), ["spec/file-version version"], suffix);
  }
});

test("the hint for a suffix names the file that would fit", () => {
  assert.match(only({ version: "2.0.0" }, "probe@1.tool.yaml").hint ?? "", /probe@2\.tool\.yaml/);
  assert.match(only({ version: "1.0.0" }, "probe@v1.tool.yaml").hint ?? "", /Leave the v out: probe@1\.tool\.yaml/);
});

test("the file is called like the tool, whatever the folders and the kind of slash", () => {
  assert.deepEqual(findingsOf({}, { file: "C:\\tools\\probe.tool.yaml" }), []);
  assert.deepEqual(findingsOf({}, { file: "/probe/prober.tool.yaml" }), ["spec/file-name name"]);
  assert.equal(only({ version: "1.0.0" }, "prober@1.tool.yaml").hint, "Call the file probe@1.tool.yaml, or mend the name.");
  assert.deepEqual(findingsOf({}, { file: "spec.yaml" }), [], "a file named on the command line may be called anything");
});

test("a tool can't be called like a member that every object inherits", () => {
  assert.deepEqual(findingsOf({ name: "toString" }, { file: "toString.tool.yaml" }), ["spec/reserved-name name"]);
  assert.deepEqual(findingsOf({ name: "tostring" }, { file: "tostring.tool.yaml" }), []);
});

test("schemas are held against the engine: errors refuse the tool, warnings keep the engine's code", () => {
  const admitting: SchemaEngine = {
    ...engine,
    admit: () => [
      { severity: "error", code: "schema/dangling-ref", path: ["properties", "a"], message: "leads nowhere", hint: "Mend it." },
      { severity: "warning", code: "schema/unsupported-keyword", path: [], message: "isn't enforced" },
    ],
  };
  assert.deepEqual(findingsOf({}, { engine: admitting }), ["spec/bad-schema parameters.properties.a", "schema/unsupported-keyword parameters"]);
  assert.equal(findingsOf({ output: { type: "object" } }, { engine: admitting }).length, 4);
});

const parameters = { type: "object", required: ["word"], properties: { word: {}, limit: {} } };

test("parameter lists agree with the schema in both directions", () => {
  assert.deepEqual(findingsOf({ parameters, required_params: ["word"], optional_params: ["limit"] }), []);
  assert.deepEqual(findingsOf({ parameters, required_params: ["limit"], optional_params: [] }), [
    "spec/params-disagree required_params.0",
    "spec/params-disagree required_params",
    "spec/params-disagree optional_params",
  ]);
});

test("a misspelt parameter is told its name", () => {
  assert.equal(only({ parameters, required_params: ["word", "words"] }).hint, "Did you mean word?");
  assert.match(only({ parameters, optional_params: ["limit", "word"] }).message, /^word is required by `parameters`/);
});

test("parameters that come from elsewhere in the schema are not judged", () => {
  assert.deepEqual(findingsOf({ parameters: { type: "object", allOf: [{ required: ["word"] }] }, required_params: ["word"] }), []);
});

test("a required parameter that has no property is still required", () => {
  assert.deepEqual(findingsOf({ parameters: { type: "object", required: ["word"] }, required_params: ["word"], optional_params: [] }), []);
});

const example = { description: "A call", category: "basic", input: {} };

test("an output of null is an output", () => {
  assert.deepEqual(findingsOf({ examples: [{ ...example, output: null }] }), []);
  assert.deepEqual(findingsOf({ examples: [example] }), ["spec/example-without-output examples.0"]);
});

test("every contradiction of an example is reported", () => {
  assert.deepEqual(findingsOf({ examples: [{ ...example, category: "negative", output: {}, verify: "exact" }] }), [
    "spec/example-without-error examples.0",
    "spec/example-contradiction examples.0.output",
    "spec/example-contradiction examples.0.verify",
  ]);
  assert.deepEqual(findingsOf({ examples: [{ ...example, error: { error_type: "input_error" }, verify: "schema" }] }), [
    "spec/example-contradiction examples.0.error",
    "spec/example-contradiction examples.0.verify",
  ]);
});

const commonError = { error_type: "resource_error", error_code: "words/unknown", symptom: "s", cause: "c", solution: "s" };

test("one error code means one thing, and codes that only an example has are free", () => {
  const negative = { ...example, category: "negative" };
  assert.deepEqual(
    findingsOf({
      common_errors: [commonError, { ...commonError, error_code: "words/other" }, { ...commonError, error_type: "state_error" }],
      examples: [
        { ...negative, error: { error_type: "resource_error", error_code: "words/unknown" } },
        { ...negative, error: { error_type: "input_error", error_code: "words/unknown" } },
        { ...negative, error: { error_type: "input_error", error_code: "words/elsewhere" } },
        { ...negative, error: { error_type: "input_error" } },
      ],
    }),
    ["spec/duplicate-item common_errors.2.error_code", "spec/error-contradiction examples.1.error.error_type"],
  );
});

test("read_only and destructive contradict each other only when both hold", () => {
  assert.deepEqual(findingsOf({ effects: { read_only: true, destructive: true } }), ["spec/effects-contradiction effects.destructive"]);
  assert.equal(only({ effects: { read_only: true, destructive: true } }).severity, "warning");
  for (const effects of [{ read_only: true }, { destructive: true }, { read_only: false, destructive: true }, {}])
    assert.deepEqual(findingsOf({ effects }), []);
});

test("dates are compared as days", () => {
  assert.deepEqual(findingsOf({ deprecation: { since: "2026-10-01", sunset: "2026-09-30" } }), ["spec/date-order deprecation.sunset"]);
  assert.deepEqual(findingsOf({ deprecation: { since: "2026-10-01", sunset: "2026-10-01" } }), []);
  assert.deepEqual(findingsOf({ deprecation: { since: "2026-10-01" } }), []);
});
