import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolSpec } from "@fettle/contract";
import { testSpec } from "@fettle/testkit";
import { catalogRules } from "./catalogRules.js";
import type { CatalogFinding, CatalogTool } from "./catalogTool.js";

function tool(name: string, fields: Readonly<Record<string, unknown>> = {}): CatalogTool {
  const spec = testSpec(name, fields) as unknown as ToolSpec;
  return { name, version: spec.version, spec, file: `${name}@${spec.version}.tool.yaml` };
}

const findings = (...tools: CatalogTool[]): readonly CatalogFinding[] => [...catalogRules(tools)];
const messages = (...tools: CatalogTool[]): readonly string[] => findings(...tools).map(({ message }) => message);

test("none of the codes keeps a tool from being served", () => {
  const found = findings(tool("find", { related_tools: ["fnid"], deprecation: { since: "2026-01-01", successor: "gone" } }), tool("Find"));
  assert.equal(found.length, 3);
  assert.ok(found.every(({ code }) => code.startsWith("catalog/")));
});

test("a tool that isn't there is reported where it is named, with the nearest name", () => {
  const [finding] = findings(tool("word_find", { common_workflows: ["word_find -> word_explian -> word_find"] }), tool("word_explain"));
  assert.deepEqual(
    { file: finding?.file, path: finding?.path, message: finding?.message, hint: finding?.hint },
    { file: "word_find@1.0.0.tool.yaml", path: ["common_workflows", 0], message: "There is no tool word_explian", hint: "Did you mean word_explain?" },
  );
});

test("a tool that is there and not served is known", () => {
  assert.deepEqual([...catalogRules([tool("find", { related_tools: ["broken"] })], ["broken"])], []);
});

test("a word in backticks is a tool only if it looks like one", () => {
  const prose = (text: string, fields: Readonly<Record<string, unknown>> = {}) =>
    messages(tool("word_find", { description_detailed: text, ...fields }), tool("word_explain")).map((message) => /`(.+)`/.exec(message)?.[1]);
  assert.deepEqual(prose("See `word_delete`."), ["word_delete"], "another tool begins with word_");
  assert.deepEqual(prose("See `words_explain`."), ["words_explain"], "nearly the name of a tool");
  assert.deepEqual(prose("First call `load_list`, then\n`word_find`."), ["load_list"], "it follows call");
  assert.deepEqual(prose("Use `HEAD`, `limit`, `node`, `list.txt`, `a b` or `load_list`."), [], "no _ or -, no name, or not directly after use");
  assert.deepEqual(prose("Lines of ``word_delete`` are code."), [], "two backticks hold code");
  assert.deepEqual(prose("See `word_count`.", { output: { type: "object", properties: { word_count: { type: "integer" } } } }), [], "a field of the output");
  assert.deepEqual(prose("Use `word_a`.", { parameters: { type: "object", properties: { kind: { enum: ["word_a"] } } } }), [], "a value of a parameter");
  assert.deepEqual(prose("See `word_delete` and `word_delete`."), ["word_delete"], "each word once");
});

test("prose is looked at in every text that a model reads", () => {
  const text = "See `word_delete`.";
  const error = { error_type: "state_error", error_code: "x", symptom: "s", cause: "c", solution: text };
  const fields = [{ description_short: text }, { when_to_use: text }, { when_not_to_use: text }, { prerequisites: [text] }, { common_errors: [error] }];
  for (const field of fields) {
    const [finding] = findings(tool("word_find", field));
    assert.equal(finding?.severity, "warning");
    assert.equal(finding?.path?.[0], Object.keys(field)[0]);
  }
});

const deprecated = (successor: string): Readonly<Record<string, unknown>> => ({ deprecation: { since: "2026-01-01", successor } });

test("a successor may be a name, a version or a range", () => {
  for (const successor of ["find", "find@2.0.0", "find@^2", "find@3.0.0-beta.1"]) {
    const tools = [tool("find", deprecated(successor)), tool("find", { version: "2.0.0" }), tool("find", { version: "3.0.0-beta.1" })];
    assert.deepEqual(messages(...tools), [], successor);
  }
});

test("a version that isn't there is answered with those that are", () => {
  const [finding] = findings(tool("find", deprecated("find@4")), tool("find", { version: "2.0.0" }));
  assert.equal(finding?.code, "catalog/unknown-successor");
  assert.equal(finding?.hint, "Versions there are: 2.0.0, 1.0.0.");
});

test("a pre-release is no successor unless it is named", () => {
  assert.match(messages(tool("find", deprecated("search")), tool("search", { version: "1.0.0-rc.1" }))[0] ?? "", /no version of it that fits search/);
});

test("a circle of successors is shown, also one of a single tool", () => {
  assert.deepEqual(messages(tool("a_tool", deprecated("b_tool")), tool("b_tool", deprecated("c_tool")), tool("c_tool", deprecated("b_tool"))), [
    "The successors go in a circle: b_tool@1.0.0 -> c_tool@1.0.0 -> b_tool@1.0.0",
    "The successors go in a circle: c_tool@1.0.0 -> b_tool@1.0.0 -> c_tool@1.0.0",
  ]);
  assert.deepEqual(messages(tool("find", deprecated("find"))), ["The successors go in a circle: find@1.0.0 -> find@1.0.0"]);
});

test("names that hosts fold into one are reported at each but the first, versions of one name never", () => {
  assert.deepEqual(messages(tool("look-up"), tool("look_up"), tool("lookUp"), tool("look-up", { version: "2.0.0" })), [
    "Some hosts can't tell look_up from look-up",
    "Some hosts can't tell lookUp from look-up",
  ]);
});
