import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type ConfiguredPlugin, definePlugin, type Plugin } from "@fettle/contract";
import { checkSpecs, configFromCode, createKernel, LoadFailed } from "@fettle/kernel";
import { fakeClock } from "@fettle/testkit";
import { briefly, HANDLER, machine, project, specText } from "../../test/project.js";

const check = (folder: string, plugins: readonly ConfiguredPlugin[] = [], more = {}) =>
  checkSpecs({ config: configFromCode({ tools: ["."] }, folder), platform: machine(), plugins, ...more });
const plugin = (name: string, rest: Partial<Plugin<unknown>>) => definePlugin({ name, options: {}, create: () => ({ name, position: "shape", ...rest }) })();

test("specs are found in all folders but node_modules, dist and hidden ones, and served by name", async () => {
  const { folder } = project({
    "b.tool.yaml": specText("b"),
    "b.handler.mjs": HANDLER,
    "deep/er/a.tool.yaml": specText("a"),
    "deep/er/a.handler.js": HANDLER.replace("export default", "module.exports ="),
    "deep/er/package.json": '{"type":"commonjs"}',
    "node_modules/x/x.tool.yaml": "nonsense",
    "dist/y.tool.yaml": "nonsense",
    ".git/z.tool.yaml": "nonsense",
    "other.yaml": "nonsense",
  });
  const { diagnostics, catalog, files } = await check(folder);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["a", "b"],
  );
  assert.equal(files.length, 2);
});

test("one broken spec never hides the others, and every finding of every file is collected", async () => {
  const { folder } = project({
    "good.tool.yaml": specText("good"),
    "good.handler.mjs": HANDLER,
    "empty.tool.yaml": "",
    "comment.tool.yaml": "# nothing yet\n",
    "list.tool.yaml": "- a\n",
    "binary.tool.yaml": new Uint8Array([0x89, 0x50, 0, 1]),
    "latin.tool.yaml": new Uint8Array([0x61, 0x3a, 0x20, 0xe9]),
    "huge.tool.yaml": `a: ${"x".repeat(2 * 1024 * 1024)}`,
    "tabs.tool.yaml": "a:\n\tb: 1\n",
    "twice.tool.yaml": "a: 1\na: 2\n",
    "keys.tool.yaml": specText("keys").replace('"tags"', '"tag"'),
    "nohandler.tool.yaml": specText("nohandler"),
  });
  const { diagnostics, catalog } = await check(folder);
  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["good"],
  );
  assert.deepEqual(briefly(diagnostics), [
    "error spec/not-text binary.tool.yaml:1:1",
    "error spec/empty-file comment.tool.yaml:1:1",
    "error spec/empty-file empty.tool.yaml:1:1",
    "error spec/too-large huge.tool.yaml:1:1",
    "error spec/unknown-key keys.tool.yaml:25:3",
    "error spec/not-text latin.tool.yaml:1:4",
    "error spec/wrong-type list.tool.yaml:1:3",
    "error spec/handler-missing nohandler.tool.yaml:3:11",
    "error spec/bad-yaml tabs.tool.yaml:2:1",
    "error spec/duplicate-key twice.tool.yaml:2:1",
  ]);
  const unknown = diagnostics.find(({ code }) => code === "spec/unknown-key");
  assert.deepEqual([unknown?.message, unknown?.hint], ['"tag" is not a key here', 'Did you mean "tags"?']);
});

test("a byte order mark and CRLF are read, and columns don't move", async () => {
  const { folder } = project({ "a.tool.yaml": `\uFEFF${specText("a", { verion: 1 }).replaceAll("\n", "\r\n")}`, "a.handler.mjs": HANDLER });
  const { diagnostics } = await check(folder);
  assert.deepEqual(briefly(diagnostics), ["error spec/unknown-key a.tool.yaml:26:3"]);
});

test("a version without quotes is told with the quotes it needs", async () => {
  const { folder } = project({ "a.tool.yaml": specText("a").replace('"version": "1.0.0"', '"version": 1.10'), "a.handler.mjs": HANDLER });
  const [diagnostic] = (await check(folder)).diagnostics;
  assert.deepEqual(
    [diagnostic?.code, diagnostic?.message, diagnostic?.hint],
    ["spec/wrong-type", "must be a text, got the number 1.10", 'Put it in quotes: "1.10"'],
  );
});

for (const [version, hint] of [
  ["2", "Known: 1."],
  ['"1"', "Take the quotes off: spec_version: 1"],
  ["one", "Known: 1."],
] as const) {
  test(`spec_version ${version} is a positioned error that lists the known ones`, async () => {
    const { folder } = project({ "a.tool.yaml": `name: a\nspec_version: ${version}\n` });
    const [diagnostic, ...more] = (await check(folder)).diagnostics;
    assert.deepEqual([diagnostic?.code, diagnostic?.line, diagnostic?.column, diagnostic?.hint, more.length], ["spec/unknown-version", 2, 15, hint, 0]);
  });
}

test("of two tools with one name and version the first file is served, and the other says which", async () => {
  const { folder } = project({
    "a.tool.yaml": specText("a"),
    "a.handler.mjs": HANDLER,
    "z/a.tool.yaml": specText("a", { version: "1.0.0+build2" }),
    "z/a.handler.mjs": HANDLER,
  });
  const { diagnostics, catalog } = await check(folder);
  assert.deepEqual(briefly(diagnostics), ["error spec/duplicate-tool a.tool.yaml:3:11"]);
  assert.match(diagnostics[0]?.file ?? "", /z\/a\.tool\.yaml$/);
  assert.equal(diagnostics[0]?.message, "../a.tool.yaml is already a 1.0.0; this file is not served");
  assert.equal(catalog.tools.length, 1);
});

test("a folder that isn't there or can't be read is a finding", async () => {
  const { folder } = project({ "tools/a.tool.yaml": specText("a"), "tools/a.handler.mjs": HANDLER });
  const { diagnostics, catalog } = await checkSpecs({ config: configFromCode({ tools: ["tools", "tolls"] }, folder), platform: machine() });
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["config/folder-missing"],
  );
  assert.match(diagnostics[0]?.message ?? "", /There is no folder \S+tolls \(ENOENT\)/);
  assert.equal(catalog.tools.length, 1);
});

test("a file that can't be read is a finding", async () => {
  const { folder } = project({ "a.tool.yaml/inside": "" });
  const { diagnostics } = await check(folder, [], { paths: [join(folder, "a.tool.yaml")] });
  assert.deepEqual(briefly(diagnostics), ["error spec/unreadable a.tool.yaml:1:1"]);
  assert.match(diagnostics[0]?.message ?? "", /EISDIR/);
});

test("a spec that is named and isn't there is a finding", async () => {
  const { folder } = project({});
  const { diagnostics } = await check(folder, [], { paths: [join(folder, "no.tool.yaml")] });
  assert.deepEqual(briefly(diagnostics), ["error spec/unreadable no.tool.yaml:1:1"]);
});

for (const [what, handler, reference, code, message] of [
  ["is missing", undefined, undefined, "spec/handler-missing", /no handler beside this spec: no \/.*\/a\.handler\.ts, \.mts, \.js or \.mjs$/],
  ["points nowhere", HANDLER, "./a.handlr.mjs", "spec/handler-missing", /There is no file \.\/a\.handlr\.mjs/],
  ["throws at import", "throw new Error('no config\\nsecond line');", undefined, "spec/handler-failed", /can't be loaded: no config$/],
  ["throws something that is no Error", "throw 'plain';", undefined, "spec/handler-failed", /it threw "plain", which is no Error/],
  ["has a syntax error", "export default (", undefined, "spec/handler-failed", /can't be loaded/],
  ["imports what isn't there", "import 'nothing-of-that-name';", undefined, "spec/handler-failed", /nothing-of-that-name/],
  ["exports no default", "export const run = () => ({});", undefined, "spec/handler-not-a-function", /no default export that is a function/],
  ["exports a value", "export default { run: 1 };", undefined, "spec/handler-not-a-function", /no default export/],
  ["exports a class", "export default class Run { run() {} }", undefined, "spec/handler-not-a-function", /a\.handler\.mjs is a class, which can't be called$/],
  ["lacks the named export", "export const run = () => ({});", "./a.handler.mjs#rum", "spec/handler-not-a-function", /no function exported as rum/],
] as const) {
  test(`a handler that ${what} is a positioned finding, and the other tools stay`, async () => {
    const { folder } = project({
      "a.tool.yaml": specText("a", reference === undefined ? {} : { handler: reference }),
      ...(handler !== undefined && { "a.handler.mjs": handler }),
      "b.tool.yaml": specText("b"),
      "b.handler.mjs": HANDLER,
    });
    const { diagnostics, catalog } = await check(folder);
    assert.deepEqual(
      diagnostics.map((diagnostic) => diagnostic.code),
      [code],
    );
    assert.match(diagnostics[0]?.message ?? "", message);
    assert.deepEqual(
      catalog.tools.map(({ name }) => name),
      ["b"],
    );
  });
}

test("a handler that never finishes loading is given up after 10 s, and the other tools stay", async () => {
  const { folder } = project({ "a.tool.yaml": specText("a"), "a.handler.mjs": HANDLER, "b.tool.yaml": specText("b"), "b.handler.mjs": HANDLER });
  const clock = fakeClock();
  const real = machine();
  const modules = {
    ...real.modules,
    import: (path: string, generation: number) =>
      path.endsWith("a.handler.mjs") ? new Promise<never>(() => undefined) : real.modules.import(path, generation),
  };
  const checking = checkSpecs({ config: configFromCode({ tools: ["."] }, folder), platform: { ...real, clock, modules } });
  const ticking = setInterval(() => clock.tick(1_000), 5);
  const { diagnostics, catalog } = await checking.finally(() => clearInterval(ticking));
  assert.deepEqual(briefly(diagnostics), ["error spec/handler-failed a.tool.yaml:3:11"]);
  assert.match(`${diagnostics[0]?.message} ${diagnostics[0]?.hint}`, /it did not end within 10 s.*top-level await/);
  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["b"],
  );
});

test("a handler's hint names the file or export that is near", async () => {
  const { folder } = project({
    "a.tool.yaml": specText("a", { handler: "./a.handlr.mjs" }),
    "a.handler.mjs": HANDLER,
    "b.tool.yaml": specText("b", { handler: "./a.handler.mjs#defalt" }),
  });
  assert.deepEqual(
    (await check(folder)).diagnostics.map(({ hint }) => hint),
    ['Did you mean "./a.handler.mjs"?', "It exports default: write `handler: ./a.handler.mjs#default`, or export a default."],
  );
});

test("a named export and a TypeScript handler are loaded", async () => {
  const { folder } = project({
    "a.tool.yaml": specText("a", { handler: "./lib.ts#run" }),
    "lib.ts": "enum E { A = 1 }\nexport const run = (args: { x: number }): object => ({ x: args.x + E.A });\n",
  });
  const kernel = await createKernel({ config: configFromCode({ tools: ["."] }, folder), platform: machine() });
  const outcome = await kernel.call({ name: "a", args: { x: 1 } });
  assert.deepEqual(outcome.kind === "ok" && outcome.data, { x: 2 });
});

test("a handler outside of any project finds fettle's own packages", async () => {
  const { folder } = project({
    "a.tool.yaml": specText("a"),
    "a.handler.mjs": 'import { inputError } from "@fettle/contract";\nexport default () => { throw inputError("a/no", { what: "No." }); };\n',
  });
  const kernel = await createKernel({ config: configFromCode({ tools: ["."] }, folder), platform: machine() });
  const outcome = await kernel.call({ name: "a", args: {} });
  assert.equal(outcome.kind === "error" && outcome.error.error_code, "a/no");
});

test("a changed handler is loaded again by a reload, native or TypeScript", async () => {
  const { folder, write } = project({
    "a.tool.yaml": specText("a"),
    "a.handler.mjs": "export default () => ({ v: 1 });",
    "b.tool.yaml": specText("b"),
    "b.handler.ts": "export default (): object => ({ v: 1 });",
  });
  const kernel = await createKernel({ config: configFromCode({ tools: ["."] }, folder), platform: machine() });
  write("a.handler.mjs", "export default () => ({ v: 2 });");
  write("b.handler.ts", "export default (): object => ({ v: 2 });");
  assert.equal((await kernel.reload()).swapped, true);
  for (const name of ["a", "b"]) {
    const outcome = await kernel.call({ name, args: {} });
    assert.deepEqual(outcome.kind === "ok" && outcome.data, { v: 2 });
  }
});

test("strict refuses to start when any spec has an error, with every finding", async () => {
  const { folder } = project({ "a.tool.yaml": specText("a"), "a.handler.mjs": HANDLER, "bad.tool.yaml": "x: 1\n" });
  const start = (strict: boolean) => createKernel({ config: configFromCode({ tools: ["."] }, folder), platform: machine(), strict });
  await assert.rejects(start(true), (error: unknown) => error instanceof LoadFailed && error.diagnostics.length > 5 && error.sources.size === 2);
  assert.equal((await start(false)).catalog().tools.length, 1);
});

test("a first-party section whose plugin is off is a warning; another's is an unknown key", async () => {
  const { folder } = project({
    "a.tool.yaml": specText("a", { idempotency: { key: "derived" } }),
    "a.handler.mjs": HANDLER,
    "b.tool.yaml": specText("b", { mine: {} }),
    "b.handler.mjs": HANDLER,
  });
  const { diagnostics, catalog } = await check(folder);
  assert.deepEqual(briefly(diagnostics), ["warning spec/section-unused a.tool.yaml:26:3", "error spec/unknown-key b.tool.yaml:26:3"]);
  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["a"],
  );
});

test("a section is checked by its plugin's own schema, with its place in the spec", async () => {
  const mine = plugin("mine", { section: { type: "object", additionalProperties: false, properties: { limit: { type: "integer", minimum: 1 } } } });
  const { folder } = project({
    "a.tool.yaml": specText("a", { mine: { limit: 0, limt: 1 } }),
    "a.handler.mjs": HANDLER,
    "b.tool.yaml": specText("b", { mine: { limit: 3 } }),
    "b.handler.mjs": HANDLER,
  });
  const { diagnostics, catalog } = await check(folder, [mine]);
  assert.deepEqual(briefly(diagnostics), ["error spec/out-of-range a.tool.yaml:27:14", "error spec/unknown-key a.tool.yaml:28:5"]);
  assert.equal(diagnostics[1]?.hint, 'Did you mean "limit"?');
  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["b"],
  );
});

test("only spec/* errors of a plugin's check keep a tool from being served, and a check that throws stops nobody", async () => {
  const { folder } = project({ "a.tool.yaml": specText("a"), "a.handler.mjs": HANDLER, "b.tool.yaml": specText("b"), "b.handler.mjs": HANDLER });
  const strictly = plugin("strictly", {
    *checkTool(tool) {
      if (tool.name === "a") yield { code: "spec/not-that", severity: "error", message: "Not that", path: ["description_short"] };
    },
  });
  const quality = plugin("quality", {
    *checkTool() {
      yield { code: "quality/vague", severity: "error", message: "Vague", path: ["when_to_use"] };
    },
    *checkCatalog(tools) {
      for (const tool of tools) yield { tool, code: "quality/many", severity: "note", message: "Many" };
    },
  });
  const broken = plugin("broken", {
    checkTool: () => {
      throw new Error("no");
    },
    checkCatalog: () => {
      throw new Error("neither");
    },
  });
  const { diagnostics, catalog } = await check(folder, [broken, strictly, quality]);
  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["b"],
  );
  const codes = diagnostics.map(({ code }) => code);
  assert.equal(codes.filter((code) => code === "plugin/check-threw").length, 3);
  assert.equal(codes.filter((code) => code === "quality/vague").length, 2);
  assert.equal(codes.filter((code) => code === "quality/many").length, 2);
  assert.match(diagnostics.map(({ message }) => message).join("; "), /The plugin broken threw in checkTool: no/);
});

test("a check that gives nonsense is named, finding by finding, and the rest is kept", async () => {
  const { folder } = project({ "a.tool.yaml": specText("a"), "a.handler.mjs": HANDLER });
  const odd = plugin("odd", {
    checkTool: () =>
      [
        { code: "p/no-message", severity: "warning" },
        null,
        { code: "bad code", severity: "note", message: "M" },
        { code: "p/severity", severity: "warn", message: "M" },
        { code: "p/path", severity: "note", message: "M", path: "a.b" },
        { code: "p/hint", severity: "note", message: "M", hint: ["a"] },
        { code: "p/fine", severity: "note", message: "Fine" },
      ] as never,
    checkCatalog: () => [{ code: "p/no-tool", severity: "note", message: "Lost" }] as never,
  });
  const promising = plugin("promising", { checkTool: async () => [], checkCatalog: () => 5 } as never);
  const { diagnostics, catalog } = await check(folder, [odd, promising]);
  const of = (code: string) => diagnostics.filter((diagnostic) => diagnostic.code === code).map(({ message }) => message);
  assert.equal(of("p/fine").length, 1);
  assert.deepEqual(of("plugin/bad-finding").sort(), [
    "The plugin odd gave a finding of no tool from checkCatalog: p/no-tool Lost",
    "The plugin odd gave something that is no finding from checkTool: it is null, and no object",
    'The plugin odd gave something that is no finding from checkTool: its code is "bad code", and not like my-plugin/some-code',
    "The plugin odd gave something that is no finding from checkTool: the hint of p/hint is a list, and not a text",
    "The plugin odd gave something that is no finding from checkTool: the message of p/no-message is missing, and not a text",
    'The plugin odd gave something that is no finding from checkTool: the path of p/path is "a.b", and not a list of keys such as ["effects", "read_only"]',
    'The plugin odd gave something that is no finding from checkTool: the severity of p/severity is "warn", and not error, warning or note',
    "The plugin promising gave a promise from checkTool",
    "The plugin promising gave something that is no list of findings from checkCatalog",
  ]);
  assert.equal(catalog.tools.length, 1);
});

test("a plugin brings tools of its own, and its run gives their handlers", async () => {
  const { folder } = project({ "own/list_all.tool.yaml": specText("list_all") });
  const owner = definePlugin({
    name: "owner",
    options: {},
    create: () => ({
      name: "owner",
      position: "observe",
      specs: [{ file: new URL(`file://${folder}/own/list_all.tool.yaml`) }],
      setup: (host) => ({ handler: () => () => ({ tools: host.catalog().tools.length }) }),
    }),
  });
  const empty = project({});
  const kernel = await createKernel({ config: configFromCode({ tools: ["."] }, empty.folder), platform: machine(), plugins: [owner()] });
  const outcome = await kernel.call({ name: "list_all", args: {} });
  assert.deepEqual(outcome.kind === "ok" && outcome.data, { tools: 1 });
  assert.equal(kernel.explain("list_all")?.handler, "plugin owner");
});

test("a plugin's tool without a handler keeps the server from starting", async () => {
  const { folder } = project({ "x.tool.yaml": specText("x") });
  const owner = definePlugin({
    name: "owner",
    options: {},
    create: () => ({ name: "owner", position: "observe", specs: [{ file: new URL(`file://${folder}/x.tool.yaml`) }] }),
  });
  await assert.rejects(
    createKernel({ config: configFromCode({ tools: ["nothing"] }, project({ "nothing/x": "" }).folder), platform: machine(), plugins: [owner()] }),
    /No plugin gives a handler for x 1\.0\.0/,
  );
});

test("specs are frozen through and through", async () => {
  const { folder } = project({ "a.tool.yaml": specText("a"), "a.handler.mjs": HANDLER });
  const tool = (await check(folder)).catalog.get("a");
  assert.throws(() => Object.assign(tool?.spec.parameters ?? {}, { type: "array" }), TypeError);
  assert.throws(() => Object.assign(tool ?? {}, { name: "b" }), TypeError);
});
