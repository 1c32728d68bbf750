import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCodes, definePlugin, isHandlerQuestion, isHandlerResult, needInput, POSITIONS, result } from "./index.js";

test("a table of codes gives namespace/kebab, frozen", () => {
  const codes = defineCodes("quota", { "all-spent": { message: "Spent.", hint: "Wait.", type: "rate_limit_error" } });
  assert.equal(codes.code("all-spent"), "quota/all-spent");
  assert.throws(() => Object.assign(codes.codes, { other: {} }), TypeError);
});

for (const [namespace, key] of [
  ["Quota", "spent"],
  ["quota", "allSpent"],
  ["quota", ""],
  ["", "spent"],
  ["quota", "-spent"],
  ["quota", "all--spent"],
] as const) {
  test(`"${namespace}/${key}" is refused as a code`, () => {
    assert.throws(() => defineCodes(namespace, { [key]: { message: "", hint: "" } }), /is not kebab-case/);
  });
}

test("a plugin module is configured by calling it, and carries what the kernel reads", () => {
  const module = definePlugin({
    name: "quota",
    options: { type: "object" },
    create: (options: { n: number }, env) => ({
      name: "quota",
      position: "protect",
      specs: [],
      checkTool: () => [{ code: "a/b", severity: "note", message: `${options.n} ${env.configDir}` }],
    }),
  });
  assert.equal(module.name, "quota");
  assert.deepEqual(module.options, { type: "object" });
  assert.deepEqual(module({ n: 2 }), { module, with: { n: 2 } });
  assert.deepEqual(module(), { module, with: {} });
  assert.deepEqual(
    [...(module.create({ n: 3 }, { env: {}, configDir: "/c" }).checkTool?.({} as never) ?? [])].map(({ message }) => message),
    ["3 /c"],
  );
});

test("create may use this, as an object's method does", () => {
  const definition = {
    name: "p",
    options: {},
    _place: "shape" as const,
    create() {
      return { name: this.name, position: this._place };
    },
  };
  assert.deepEqual(definePlugin(definition).create({}, { env: {}, configDir: "" }), { name: "p", position: "shape" });
});

test("what belongs into the plugin is refused in its definition, where it would do nothing", () => {
  const definition = { name: "p", options: {}, section: { type: "object" as const }, create: () => ({ name: "p", position: "shape" as const }) };
  assert.throws(() => definePlugin(definition), { name: "TypeError", message: /was given section, which does nothing there: create returns it/ });
});

test("a misspelt or unknown member of a definition is refused, with what was probably meant", () => {
  const create = () => ({ name: "p", position: "shape" as const });
  const refusedAs = (definition: object, message: RegExp): void => assert.throws(() => definePlugin(definition as never), { name: "TypeError", message });
  for (const [member, meant] of [
    ["creat", "create"],
    ["crate", "create"],
    ["cerate", "create"],
    ["Create", "create"],
  ] as const)
    refusedAs({ name: "p", options: {}, [member]: create }, new RegExp(`was given "${member}", which does nothing\\. Did you mean ${meant}\\?`));
  refusedAs({ name: "p", option: {}, create }, /Did you mean options\?/);
  refusedAs({ name: "p", options: {}, create, sections: {} }, /Did you mean section\? create returns it, beside the name\./);
  refusedAs({ name: "p", options: {}, create, hooks: {} }, /^definePlugin was given "hooks", which does nothing\. Known: name, options, create\. A member of/);
  refusedAs({ name: "p", options: {} }, /create is missing/);
  assert.equal(definePlugin({ name: "p", options: {}, create, _own: 1, "x-own": 2, [Symbol("own")]: 3 } as never).name, "p");
});

test("results and questions of a handler are told from data", () => {
  assert.equal(isHandlerResult(result({ data: 1 })), true);
  assert.equal(isHandlerQuestion(needInput({ requests: {} })), true);
  for (const data of [null, "text", { data: 1 }, { requests: {} }, undefined]) {
    assert.equal(isHandlerResult(data), false);
    assert.equal(isHandlerQuestion(data), false);
  }
  assert.equal(JSON.stringify(result({ data: 1 })), '{"data":1}');
});

test("the positions are six, outermost first", () => {
  assert.deepEqual(POSITIONS, ["observe", "answer", "protect", "shape", "reuse", "execute"]);
});
