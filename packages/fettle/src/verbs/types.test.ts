import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ECHO, specText, type TempProject, tempProject, tool } from "../../test/tempProject.js";

const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
    noUnusedLocals: true,
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    module: "NodeNext",
    noEmit: true,
    // So that no build is needed. Sources are checked by their own rules.
    customConditions: ["source"],
    types: [],
    skipLibCheck: true,
  },
  include: ["*.ts"],
});

/** Runs the real compiler over the TypeScript files of a project; what it says about them. */
async function compile(project: TempProject): Promise<string> {
  await project.write("tsconfig.json", TSCONFIG);
  await project.write("package.json", '{ "type": "module" }');
  await mkdir(project.path("node_modules"), { recursive: true });
  await symlink(fileURLToPath(new URL("../..", import.meta.url)), project.path("node_modules/fettle"), "dir").catch(() => {});
  const { stdout } = spawnSync(process.execPath, [TSC, "-p", "."], { cwd: project.folder, encoding: "utf8" });
  return stdout;
}

const COUNT = specText("count_words").replace(
  /^parameters:[\s\S]*?(?=^prerequisites)/m,
  `parameters:
  type: object
  additionalProperties: false
  required: [texts]
  properties:
    texts: { type: array, items: { type: string }, description: Texts to count in. }
    unit: { enum: [words, characters], default: words, description: What is counted. }
    at-most: { type: integer, description: Where to stop. }
    where: { $ref: "#/$defs/place" }
    pair: { type: array, prefixItems: [{ type: string }, { type: number }], minItems: 2, items: false }
  $defs:
    place: { type: object, additionalProperties: false, required: [name], properties: { name: { type: string }, in: { $ref: "#/$defs/place" } } }
output:
  type: object
  required: [counts]
  properties:
    counts: { type: array, items: { type: integer } }
    note: { type: string }
`,
);

const HANDLER = `import { needInput, result } from "fettle";
import type { Args, Handler, Output } from "./count_words.types.js";

interface Sum { readonly counts: readonly number[]; readonly extra: boolean }
const of = ({ texts, unit }: Args): Sum => ({ counts: texts.map((text) => (unit === "words" ? text.split(" ") : [...text]).length), extra: true });

const handler: Handler = async (args, ctx) => {
  const most: number | undefined = args["at-most"];
  const where: string | undefined = args.where?.in?.in?.name;
  const [first, second]: readonly [string, number] = args.pair ?? ["", 0];
  ctx.log.info(\`\${most} \${where} \${first} \${second}\`);
  if (most === 1) return needInput({ requests: {} });
  if (most === 2) return result({ content: [{ type: "text", text: "two" }] });
  if (most === 3) return { counts: [1], note: "open objects take more", more: true };
  const output: Output = of(args);
  return output;
};
export default handler;
`;

test("a handler that is written against its types compiles in strict TypeScript, and each wrong one doesn't", async (t) => {
  const project = await tempProject(t, { "count_words.tool.yaml": COUNT, "free.tool.yaml": specText("free") });
  assert.equal((await project.run(["types"])).code, 0);
  await project.write("count_words.handler.ts", HANDLER);
  await project.write(
    "free.handler.ts",
    'import type { Handler } from "./free.types.js";\ninterface Any { readonly a: 1 }\nconst any: Any = { a: 1 };\nconst handler: Handler = ({ text, times }) => (text.length > times ? any : text);\nexport default handler;\n',
  );
  assert.equal(await compile(project), "");

  const wrong: readonly (readonly [find: string, put: string, says: RegExp])[] = [
    ["texts.map", "text.map", /'text'/],
    ['unit === "words"', 'unit === "word"', /no overlap/],
    ["counts: [1]", 'counts: ["1"]', /not assignable to type 'Handler'/],
    ["return output;", "return { note: output.note };", /not assignable/],
    ["return output;", "return 'text';", /not assignable/],
    ["args.where?.in", "args.where.in", /possibly 'undefined'/],
    ["const most: number | undefined", "const most: number", /'number \| undefined' is not assignable/],
    ["readonly [string, number]", "readonly [number, number]", /not assignable/],
  ];
  for (const [i, [find, put]] of wrong.entries()) await project.write(`wrong${i}.ts`, HANDLER.replace(find, put));
  const said = await compile(project);
  for (const [i, [, put, says]] of wrong.entries()) {
    const lines = said.split("\n").filter((line) => line.startsWith(`wrong${i}.ts`));
    assert.ok(lines.length > 0, `${put} compiles`);
    assert.match(lines.join("\n"), says);
  }
  assert.doesNotMatch(said, /^(count_words|free)/m);
});

test("the types of every schema in odd shapes compile", async (t) => {
  const schemas = {
    tuple: "{ type: array, prefixItems: [{ type: [string, 'null'] }, { type: array, items: { type: [string, number] } }], items: { type: [string, 'null'] } }",
    open: "{ type: object, required: [z], properties: { a: { type: integer }, b: { type: object, additionalProperties: false, properties: { c: true } } }, additionalProperties: { type: string } }",
    pattern: '{ type: object, properties: { a: { type: integer } }, patternProperties: { "^x": { type: boolean } } }',
    union:
      "{ type: object, oneOf: [{ properties: { k: { const: a } }, required: [k] }, { properties: { k: { const: b }, n: { type: integer } }, required: [k] }] }",
    both: '{ allOf: [{ $ref: "#/$defs/json" }, { type: object, additionalProperties: false, properties: { "a b": { const: "*/" } } }] }',
    json: '{ $ref: "#/$defs/json" }',
    never: "false",
    keyed: "{ type: object, additionalProperties: false, properties: { constructor: { type: string }, __proto__: { type: string }, '1': { type: 'null' } } }",
  };
  const lines = Object.entries(schemas).map(([name, schema]) => `      ${name}: ${schema}\n`);
  const json =
    '{ anyOf: [{ type: string }, { type: array, items: { $ref: "#/$defs/json" } }, { type: object, additionalProperties: { $ref: "#/$defs/json" } }] }';
  const schema = `\n  type: object\n  properties:\n${lines.join("").replace(/^ {6}/gm, "    ")}  $defs:\n    json: ${json}\n`;
  const project = await tempProject(t, {
    "odd.tool.yaml": specText("odd").replace(/^parameters:[\s\S]*?(?=^prerequisites)/m, `parameters:${schema}output:${schema}`),
  });
  const { code, stderr } = await project.run(["types"]);
  assert.equal(code, 0, stderr);
  assert.equal(await compile(project), "");
});

test("each spec gets its types, also one version beside another, and a file that is right isn't written again", async (t) => {
  const project = await tempProject(t, {
    ...tool("echo", ECHO),
    "deep/echo@0.tool.yaml": specText("echo").replace('"1.0.0"', '"0.9.0"'),
    "deep/echo@0.handler.mjs": ECHO,
  });
  const first = await project.run(["types"]);
  assert.deepEqual([first.code, first.stdout], [0, "wrote deep/echo@0.types.ts\nwrote echo.types.ts\n"]);
  const text = await readFile(project.path("echo.types.ts"), "utf8");
  assert.match(text, /^\/\*\*\n \* Generated from echo\.tool\.yaml by `fettle types`\./);
  assert.match(text, /readonly times: number;/);
  const { mtimeMs } = await stat(project.path("echo.types.ts"));
  const second = await project.run(["types"]);
  assert.deepEqual([second.code, second.stdout, second.stderr], [0, "", "0 types files changed, 2 up to date.\n"]);
  assert.equal((await stat(project.path("echo.types.ts"))).mtimeMs, mtimeMs);
  assert.deepEqual((await readdir(project.folder)).sort(), ["deep", "echo.handler.mjs", "echo.tool.yaml", "echo.types.ts"]);
});

test("without the validation plugin nothing fills in defaults, and the types say so", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", ECHO) });
  await project.run(["types"]);
  assert.match(await readFile(project.path("echo.types.ts"), "utf8"), /readonly times\?: number;/);
});

test("--check writes nothing, and names what is stale, missing and left over, with what to run", async (t) => {
  const project = await tempProject(t, { ...tool("stale", ECHO), ...tool("fine", ECHO), ...tool("gone", ECHO) });
  await project.run(["types"]);
  assert.equal((await project.run(["types", "--check"])).code, 0);
  await project.write("stale.tool.yaml", specText("stale").replace("The text to give back.", "Another text."));
  await project.write("new.tool.yaml", specText("new"));
  await rm(project.path("gone.tool.yaml"));
  const before = await readFile(project.path("stale.types.ts"), "utf8");
  const { code, stdout, stderr } = await project.run(["types", "--check"]);
  assert.equal(code, 1);
  assert.equal(
    stdout,
    "left over: gone.types.ts: there is no gone.tool.yaml\nmissing: new.types.ts\nstale: stale.types.ts doesn't say what stale.tool.yaml says\n",
  );
  assert.match(stderr, /3 types files not up to date\. Run: fettle types/);
  assert.equal(await readFile(project.path("stale.types.ts"), "utf8"), before);

  const json = JSON.parse((await project.run(["types", "--check", "--json"])).stdout);
  assert.deepEqual(json.files[1], { file: "gone.types.ts", spec: "gone.tool.yaml", state: "left_over" });
  assert.deepEqual(json.diagnostics, []);

  const mended = await project.run(["types"]);
  assert.deepEqual([mended.code, mended.stdout], [0, "removed gone.types.ts: there is no gone.tool.yaml\nwrote new.types.ts\nwrote stale.types.ts\n"]);
  assert.equal((await project.run(["types", "--check"])).code, 0);
});

test("files that Git for Windows checked out with CRLF are up to date, and are ours to write and to remove", async (t) => {
  const project = await tempProject(t, { ...tool("fine", ECHO), ...tool("stale", ECHO), ...tool("gone", ECHO) });
  await project.run(["types"]);
  for (const name of ["fine", "stale", "gone"]) {
    for (const end of ["tool.yaml", "types.ts"]) {
      const text = await readFile(project.path(`${name}.${end}`), "utf8");
      await project.write(`${name}.${end}`, text.replaceAll("\n", "\r\n"));
    }
  }
  const check = await project.run(["types", "--check"]);
  assert.deepEqual([check.code, check.stdout], [0, ""]);

  await project.write("stale.tool.yaml", specText("stale").replace("The text to give back.", "Another text.").replaceAll("\n", "\r\n"));
  await rm(project.path("gone.tool.yaml"));
  const mended = await project.run(["types"]);
  assert.deepEqual([mended.code, mended.stdout], [0, "removed gone.types.ts: there is no gone.tool.yaml\nwrote stale.types.ts\n"]);
});

test("a broken spec is shown and keeps its types; those of the others are written", async (t) => {
  const project = await tempProject(t, { ...tool("good", ECHO), ...tool("bad", ECHO) });
  await project.run(["types"]);
  const before = await readFile(project.path("bad.types.ts"), "utf8");
  await project.write("bad.tool.yaml", specText("bad").replace("type: string, ", "type: strng, "));
  await rm(project.path("good.types.ts"));
  const { code, stdout, stderr } = await project.run(["types"]);
  assert.deepEqual([code, stdout], [1, "wrote good.types.ts\n"]);
  assert.match(stderr, /error {2}spec\/bad-schema {2}bad\.tool\.yaml:\d+/);
  assert.equal(await readFile(project.path("bad.types.ts"), "utf8"), before);
  const json = JSON.parse((await project.run(["types", "--check", "--json"])).stdout);
  assert.deepEqual([json.files.length, json.diagnostics.length], [1, 1]);
});

test("a file of that name that somebody wrote is left as it is", async (t) => {
  const project = await tempProject(t, { ...tool("echo", ECHO), "echo.types.ts": "export type Mine = 1;\n", "other.types.ts": "export type Mine = 1;\n" });
  const { code, stdout } = await project.run(["types"]);
  assert.equal(code, 1);
  assert.match(stdout, /^not ours: echo\.types\.ts/);
  assert.equal(await readFile(project.path("echo.types.ts"), "utf8"), "export type Mine = 1;\n");
  assert.equal(await readFile(join(project.folder, "other.types.ts"), "utf8"), "export type Mine = 1;\n");
});

test("a folder that is no project and a config that is wrong end with 2", async (t) => {
  assert.equal((await (await tempProject(t)).run(["types"])).code, 2);
  assert.equal((await (await tempProject(t, { "fettle.config.yaml": "tools: [nowhere]\n" })).run(["types"])).code, 2);
});
