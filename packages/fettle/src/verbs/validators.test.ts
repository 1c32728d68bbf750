import assert from "node:assert/strict";
import { test } from "node:test";
import { devServer } from "../../test/devServer.js";
import { ECHO, tempProject, tool } from "../../test/tempProject.js";

// Validators as authors have them: modules beside specs, and modules that the config gives names.

const CONFIG = `server: { name: mine, version: "1.0.0" }
tools: [tools]
plugins:
  - use: "@fettle/plugin-validation"
    with: { validators: { short: ./lib/short.ts }, field_timeout_ms: 50 }
`;
const checking = (validator: string): string => `validation: { fields: { text: ${validator} } }\n`;

/** Files of a project with one tool whose argument text has a validator. */
const files = (validator: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  "fettle.config.yaml": CONFIG,
  "lib/short.ts": `import type { Validator } from "fettle";\nconst short: Validator<string> = (text) => text.length < 9 || "is too long";\nexport default short;\n`,
  ...Object.fromEntries(Object.entries(tool("echo", ECHO, checking(validator))).map(([file, text]) => [`tools/${file}`, text])),
  ...more,
});

test("fettle call asks validators: one by its name in the config, one by its path", async (t) => {
  const named = await tempProject(t, files("short"));
  assert.equal((await named.run(["call", "echo", '{"text": "hi"}'])).code, 0);
  const { code, stderr } = await named.run(["call", "echo", '{"text": "a longer text"}']);
  assert.equal(code, 1);
  assert.deepEqual(stderr.split("\n"), [
    "echo was not run: 1 problem with its arguments.",
    "- text: is too long",
    "Send the call again with these mended.",
    '    1 | {"text": "a longer text"}',
    "      |          ^^^^^^^^^^^^^^^",
    "input_error validation/invalid-arguments",
    "",
  ]);
  const byPath = await tempProject(
    t,
    files("./check.mjs#check", { "tools/check.mjs": 'export const check = async () => ({ message: "no", fix: "Stop" });\n' }),
  );
  assert.match((await byPath.run(["call", "echo", '{"text": "hi"}'])).stderr, /^- text: no\. Stop$/m);
});

test("a validator that hangs or throws is told with its name, and the log on stderr has what it threw", async (t) => {
  const project = await tempProject(t, files("./check.mjs", { "tools/check.mjs": "export default () => new Promise(() => setInterval(() => {}, 1000));\n" }));
  const hung = await project.run(["call", "echo", '{"text": "hi"}']);
  assert.match(hung.stderr, /the validator \.\/check\.mjs of text in echo did not answer within 50 ms/);
  assert.match(hung.stderr, /internal_error validation\/validator-failed/);
  await project.write("tools/check.mjs", "export default (text) => { throw new Error(`no such thing: ${text}, says the swordfish`); };\n");
  const threw = await project.run(["call", "echo", '{"text": "an argument"}', "--json"]);
  assert.equal(JSON.parse(threw.stdout).error.error_code, "validation/validator-failed");
  assert.doesNotMatch(threw.stdout, /swordfish/);
  assert.match(threw.stderr, /no such thing: \[argument\], says the swordfish/);
});

test("fettle check finds validators that aren't there", async (t) => {
  const project = await tempProject(t, files("./chekc.mjs", { "tools/check.mjs": "export default () => true;\n" }));
  const check = async (): Promise<string> => (await project.run(["check"])).stdout;
  assert.match(await check(), /spec\/module-missing[\s\S]*\^{11} There is no file \.\/chekc\.mjs\. Did you mean "\.\/check\.mjs"\?/);
  for (const [validator, expected] of [
    ["shrot", /spec\/wrong-value[\s\S]*"shrot" is not one of short[\s\S]*Did you mean "short"\?/],
    ["./check.mjs", /^No problems/],
  ] as const) {
    await project.write("tools/echo.tool.yaml", tool("echo", ECHO, checking(validator))["echo.tool.yaml"] ?? "");
    const { stdout, stderr } = await project.run(["check"]);
    assert.match(stdout + stderr, expected);
  }
  await project.write("tools/echo.tool.yaml", tool("echo", ECHO, "validation: { fields: { txet: short } }\n")["echo.tool.yaml"] ?? "");
  assert.match(await check(), /validation\/unknown-field[\s\S]*There is no argument txet[\s\S]*Did you mean "text"\?/);
});

test("fettle dev serves a validator as it is saved, one beside the spec and one of the config; a broken one leaves the last", async (t) => {
  const says = (text: string): string => `export default (): string => "${text}";\n`;
  const project = await tempProject(t, files("./check.ts", { "tools/check.ts": says("one") }));
  const server = await devServer(t, project);
  const refused = (text: string): string => `echo was not run: 1 problem with its arguments.\n- text: ${text}\nSend the call again with these mended.`;
  assert.equal(await server.call("echo"), refused("one"));
  await project.write("tools/check.ts", says("two"));
  await server.gives("echo", refused("two"));
  await server.seen(/ reloaded tools\/check\.ts: 1 tool/);
  await project.write("tools/check.ts", "export default (): string => {\n  return +;\n};\n");
  await server.seen(/tools\/check\.ts:2:11\n[\s\S]*2 \| {3}return \+;\n.*\^/);
  assert.equal(await server.call("echo"), refused("two"));
  await project.write("tools/check.ts", says("three"));
  await server.gives("echo", refused("three"));
  await project.write("tools/echo.tool.yaml", tool("echo", ECHO, checking("short"))["echo.tool.yaml"] ?? "");
  await server.gives("echo", refused("is too long"), { text: "a longer text" });
  await project.write("lib/short.ts", says("four"));
  await server.gives("echo", refused("four"));
});
