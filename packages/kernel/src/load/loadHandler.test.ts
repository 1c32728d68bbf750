import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSpecs, configFromCode } from "@fettle/kernel";
import { machine, project, specText } from "../../test/project.js";

/** What is told of a tool whose handler has this name and text. */
async function told(name: string, text: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { folder } = project({ "a.tool.yaml": specText("a", name === "" ? {} : { handler: `./${name}` }), [name]: text, ...more });
  const { diagnostics } = await checkSpecs({ config: configFromCode({ tools: ["."] }, folder), platform: machine() });
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["spec/handler-failed"],
  );
  // Paths are absolute here; the CLI shows them relative to where it is run.
  return `${diagnostics[0]?.message}. ${diagnostics[0]?.hint}`.replaceAll(`${folder}/`, "FOLDER/");
}

const LINES = "const a = 1;\nexport default async () => {\n  const x = a +;\n};\n";

for (const [name, text, expected] of [
  ["a.handler.ts", LINES, "Unexpected token (FOLDER/a.handler.ts:3:16)"],
  ["a.handler.mjs", LINES, "Unexpected token ';' (FOLDER/a.handler.mjs:3:16)"],
  [
    "a.handler.mjs",
    "\nimport { nope } from 'node:path';\n",
    "The requested module 'node:path' does not provide an export named 'nope' (FOLDER/a.handler.mjs:2:10)",
  ],
] as const) {
  test(`an error of the syntax has its place in the handler: ${expected}`, async () => {
    assert.equal(await told(name, text), `The handler ${name} can't be loaded: ${expected}. Mend the code at that place.`);
  });
}

test("an error of the syntax in a module that a TypeScript handler imports has its place there", async () => {
  assert.match(await told("a.handler.ts", 'import "./lib/b.ts";\n', { "lib/b.ts": LINES }), /: Unexpected token \(FOLDER\/lib\/b\.ts:3:16\)\. /);
});

test("where the place isn't known the hint says how to see it, for a runner that can run the file", async () => {
  assert.equal(
    await told("a.handler.mjs", 'import "./b.mjs";\n', { "b.mjs": LINES }),
    "The handler a.handler.mjs can't be loaded: Unexpected token ';'. Run the module by itself to see the whole error: node FOLDER/a.handler.mjs",
  );
  assert.equal(
    await told("a.handler.ts", 'throw new Error("  no config  ");\n'),
    "The handler a.handler.ts can't be loaded: no config. Run the module by itself to see the whole error: npx tsx FOLDER/a.handler.ts",
  );
});

test("whatever is thrown can be told", async () => {
  assert.match(await told("a.handler.mjs", "throw 10n;\n"), /it threw a value of type bigint, which is no Error\./);
  assert.match(await told("a.handler.mjs", "throw Object.assign(new Error('x'), { message: 5, at: { file: 1 } });\n"), /can't be loaded: 5\./);
});

for (const [text, hint] of [
  ["module.exports = () => 1;\n", "Write `export default async (args, ctx) => ...`."],
  ['const fs = require("node:fs");\nexport default () => 1;\n', 'Write `import { readFile } from "node:fs/promises"` in place of require.'],
  ["export default () => 1;\nconsole.log(__dirname);\n", "Write import.meta.dirname."],
] as const) {
  test(`what only CommonJS has is told with what to write: ${text.split("\n")[0]}`, async () => {
    assert.ok(
      (await told("a.handler.mjs", text)).endsWith(
        `is not defined in ES module scope${text.includes("require") ? ", you can use import instead" : ""}. ${hint}`,
      ),
    );
  });
}

test("a handler that isn't there under its name is looked for under others, but not under those of other specs", async () => {
  const hintWith = async (files: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const { folder } = project({ "shout.tool.yaml": specText("shout"), ...files });
    const { diagnostics } = await checkSpecs({ config: configFromCode({ tools: ["."] }, folder), platform: machine() });
    return diagnostics.find(({ code, file }) => code === "spec/handler-missing" && file.endsWith("shout.tool.yaml"))?.hint;
  };
  const usual = "Write one of them, or say where it is with `handler: ./path.ts`.";
  assert.equal(await hintWith({ "shuot.handler.mjs": "" }), `If shuot.handler.mjs is it, call that shout.handler.mjs. ${usual}`);
  assert.equal(await hintWith({ "shout.ts": "" }), `If shout.ts is it, call that shout.handler.ts. ${usual}`);
  assert.equal(await hintWith({ "shoot.handler.mjs": "export default () => 1;", "shoot.tool.yaml": specText("shoot") }), usual);
  assert.equal(await hintWith({ "other.mjs": "" }), usual);
});
