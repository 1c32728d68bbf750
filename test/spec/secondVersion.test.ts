import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, ToolSpec } from "@fettle/contract";
import { checkSpecs, configFromCode, type Files, SPEC_VERSIONS, type SpecVersion } from "@fettle/kernel";
import { nodePlatform } from "@fettle/kernel/node";
import { testSpec } from "@fettle/testkit";

// How version 2 would be added beside version 1 (spec/CHANGES.md). This one calls `tags` `labels` and wants one at least.

const v1 = SPEC_VERSIONS.get(1);
assert.ok(v1);
const { tags: _, ...properties } = v1.schema["properties"] as JsonObject;

const v2: SpecVersion = {
  schema: {
    ...v1.schema,
    $id: "https://fettle.dev/spec/v2/tool.schema.json",
    required: (v1.schema["required"] as string[]).map((field) => (field === "tags" ? "labels" : field)),
    properties: {
      ...properties,
      spec_version: { $comment: "T-SPECVERSION-1", const: 2 },
      labels: { $comment: "T-LABEL-1", type: "array", minItems: 1, items: { type: "string" }, description: "Words to filter by." },
    },
  },
  // Rules get the spec as its author wrote it; those of version 1 that still hold are used again.
  *rules(spec, context) {
    const { labels } = spec as unknown as { readonly labels: readonly string[] };
    yield* v1.rules(spec, context);
    if (labels.includes(spec.name)) {
      yield {
        code: "spec/label-is-name",
        severity: "warning",
        message: `${spec.name} is the name already`,
        path: ["labels", labels.indexOf(spec.name)],
        rule: "T-LABEL-2",
      };
    }
  },
  thoroughRules: (spec, context) => v1.thoroughRules(spec, context),
  // While the kernel's shape is that of version 1, version 2 is turned into it. When version 2 becomes the kernel's shape, version 1 gets an `upgrade`.
  upgrade(spec) {
    const { labels, ...rest } = spec as unknown as { readonly labels: string[] } & Omit<ToolSpec, "tags">;
    return { ...rest, tags: labels };
  },
};
const both: ReadonlyMap<number, SpecVersion> = new Map([...SPEC_VERSIONS, [2, v2]]);

const { tags: __, ...withoutTags } = testSpec("new_tool");
const second = (fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({ ...withoutTags, spec_version: 2, labels: ["words"], ...fields });

async function check(specs: readonly Readonly<Record<string, unknown>>[], specVersions = both) {
  const real = nodePlatform({ log: { debug() {}, info() {}, warn() {}, error() {} }, env: {} });
  // JSON is YAML.
  const texts = new Map(specs.map((spec) => [`/tools/${spec["name"]}.tool.yaml`, new TextEncoder().encode(JSON.stringify(spec, null, 2))]));
  const files: Files = {
    ...real.files,
    read: async (path) => texts.get(path) ?? real.files.read(path),
    size: async (path) => texts.get(path)?.length,
  };
  const checked = await checkSpecs({
    config: configFromCode({}, "/tools"),
    platform: { ...real, files },
    handlers: false,
    paths: [...texts.keys()],
    specVersions,
  });
  return { tools: checked.catalog.tools, found: checked.diagnostics.map(({ code, rule, message }) => ({ code, rule, message })) };
}

test("specs of both versions are served side by side, and the kernel sees one shape", async () => {
  const { tools, found } = await check([testSpec("old_tool", { tags: ["words"] }), second()]);
  assert.deepEqual(found, []);
  assert.deepEqual(
    tools.map(({ name, spec }) => [name, spec.spec_version, spec.tags]),
    [
      ["new_tool", 2, ["words"]],
      ["old_tool", 1, ["words"]],
    ],
  );
});

test("each spec is checked by the meta-schema and the rules of its own version", async () => {
  const { tools, found } = await check([testSpec("old_tool", { labels: [] }), second({ labels: [] })]);
  assert.deepEqual(
    found.map(({ code, rule }) => [code, rule]),
    [
      ["spec/too-short", "T-LABEL-1"],
      ["spec/unknown-key", "T-KEY-1"],
    ],
  );
  assert.deepEqual(tools, []);
  const { found: warnings } = await check([second({ labels: ["new_tool"] })]);
  assert.deepEqual(
    warnings.map(({ rule }) => rule),
    ["T-LABEL-2"],
  );
});

test("a rule that both versions have is kept in both", async () => {
  const { found } = await check([second({ effects: { read_only: true, destructive: true } })]);
  assert.deepEqual(
    found.map(({ rule }) => rule),
    ["T-EFFECT-2"],
  );
});

test("an unknown version is told which ones are known, and hides nobody", async () => {
  const { tools, found } = await check([testSpec("old_tool"), second({ spec_version: 3 })]);
  assert.deepEqual(found, [{ code: "spec/unknown-version", rule: "T-SPECVERSION-1", message: "3 is no known spec_version" }]);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["old_tool"],
  );
});

test("without version 2 in the registry its specs are refused: the version picks the meta-schema in code", async () => {
  const { tools, found } = await check([testSpec("old_tool"), second()], SPEC_VERSIONS);
  assert.equal(found[0]?.code, "spec/unknown-version");
  assert.equal(tools.length, 1);
});
