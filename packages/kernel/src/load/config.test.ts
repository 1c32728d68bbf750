import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createKernel, LoadFailed, loadConfig } from "@fettle/kernel";
import { briefly, HANDLER, machine, project, specText } from "../../test/project.js";

const load = (text: string | Uint8Array, env = {}) => {
  const { folder } = project({ "fettle.config.yaml": text });
  return loadConfig({ file: join(folder, "fettle.config.yaml"), platform: machine(env) });
};
const failed = async (loading: Promise<unknown>) => {
  try {
    await loading;
  } catch (error) {
    assert.ok(error instanceof LoadFailed, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "expected LoadFailed" });
};
const start = (files: Record<string, string>, env = {}) => {
  const { folder } = project({ "tools/a.tool.yaml": specText("a"), "tools/a.handler.mjs": HANDLER, ...files });
  const platform = machine(env);
  return loadConfig({ file: join(folder, "fettle.config.yaml"), platform }).then((config) => createKernel({ config, platform }));
};

test("a whole config is read", async () => {
  const { config, folder, file } = await load(
    "server: { name: s, version: '1', instructions: i }\ntools: [a, b]\nplugins: [{ use: ./p.mjs, with: { a: 1 } }]\nstrict: true\ntimeout_ms: 5\nhttp: { port: 0 }\nwire: { inline_refs: true }\n",
  );
  assert.equal(config.http?.port, 0);
  assert.equal(file, join(folder, "fettle.config.yaml"));
});

for (const [what, text, found] of [
  ["an unknown key", "tolls: [a]\n", ["error config/unknown-key fettle.config.yaml:1:1"]],
  ["a wrong type", "tools: a\n", ["error config/wrong-type fettle.config.yaml:1:8"]],
  ["a port out of range", "http:\n  port: 70000\n", ["error config/out-of-range fettle.config.yaml:2:9"]],
  ["an unknown version", "spec_version: 9\n", ["error config/unknown-version fettle.config.yaml:1:15"]],
  ["broken YAML", "a: [\n", ["error config/bad-yaml fettle.config.yaml:1:4"]],
  ["a key twice", "strict: true\nstrict: true\n", ["error config/duplicate-key fettle.config.yaml:2:1"]],
  ["a list", "- tools\n", ["error config/wrong-type fettle.config.yaml:1:3"]],
  ["a variable that isn't set", "server:\n  name: ${NOT_SET}\n", ["error config/missing-env fettle.config.yaml:2:9"]],
] as const) {
  test(`${what} in a config is an error with its place`, async () => {
    const error = await failed(load(text));
    if (found) assert.deepEqual(briefly(error.diagnostics), [...found]);
    assert.ok(error.diagnostics.length > 0);
    assert.equal([...error.sources.values()][0], text);
  });
}

for (const text of ["", "\n", "# nothing yet\n", "---\n"]) {
  test(`a config of ${JSON.stringify(text)} has every default`, async () => {
    const { config, folder } = await load(text);
    assert.deepEqual(config, {});
    const kernel = await createKernel({ config: await loadConfig({ file: join(folder, "fettle.config.yaml"), platform: machine() }), platform: machine() });
    assert.deepEqual(kernel.catalog().tools, []);
  });
}

test("a config that isn't there, can't be read or is no text is told with codes of configs", async () => {
  const { folder } = project({ "folder.yaml/inside": "" });
  const told = async (loading: Promise<unknown>) => briefly((await failed(loading)).diagnostics);
  const at = (file: string) => loadConfig({ file, platform: machine() });
  assert.deepEqual(await told(at("/nowhere/fettle.config.yaml")), ["error config/file-missing fettle.config.yaml:1:1"]);
  assert.deepEqual(await told(at(join(folder, "folder.yaml"))), ["error config/unreadable folder.yaml:1:1"]);
  assert.deepEqual(await told(load(new Uint8Array([0x61, 0]))), ["error config/not-text fettle.config.yaml:1:1"]);
  assert.deepEqual(await told(load(`# ${"x".repeat(1024 * 1024)}`)), ["error config/too-large fettle.config.yaml:1:1"]);
});

test("variables are expanded in strings, with defaults, escapes, and as numbers only where a number fits", async () => {
  const { config } = await load(
    "server:\n  name: ${A}-${B:-b}\n  version: ${N}\n  instructions: $${A} ${EMPTY:-e}\nhttp:\n  port: ${PORT:-8080}\nstrict: ${S}\n",
    { A: "a", N: "12", EMPTY: "", S: "true" },
  );
  assert.deepEqual(config.server, { name: "a-b", version: "12", instructions: "${A} e" });
  assert.equal(config.http?.port, 8080);
  assert.equal(config.strict, true);
});

test("a variable that isn't set is told once, and nothing of the text that names it", async () => {
  const { diagnostics } = await failed(load("http:\n  state_secret: ${SECRET}\n  port: ${PORT}\n", {}));
  assert.deepEqual(briefly(diagnostics), ["error config/missing-env fettle.config.yaml:2:17", "error config/missing-env fettle.config.yaml:3:9"]);
});

test("a variable that is no number is told as it came", async () => {
  const { diagnostics } = await failed(load("http:\n  port: ${PORT}\n", { PORT: "http" }));
  assert.deepEqual(briefly(diagnostics), ["error config/wrong-type fettle.config.yaml:2:9"]);
});

const PLUGIN =
  'export default { name: "p", options: { type: "object", additionalProperties: false, properties: { limit: { type: "integer", minimum: 1, default: 5 } } }, create: (options) => ({ name: "p", position: "protect", setup: () => ({ layer: () => (call, next) => { call.note("limit", options.limit); return next(); } }) }) };\n';

test("a plugin is loaded by relative path, with defaults of its options, and a variable in them", async () => {
  const config = (options: string) => `tools: [tools]\nplugins:\n  - use: ./p.mjs\n${options}`;
  const plain = await start({ "fettle.config.yaml": config(""), "p.mjs": PLUGIN });
  assert.deepEqual((await plain.call({ name: "a", args: {} })).notes, { "p.limit": 5 });
  const set = await start({ "fettle.config.yaml": config("    with: { limit: '${LIMIT}' }\n"), "p.mjs": PLUGIN }, { LIMIT: "9" });
  assert.deepEqual((await set.call({ name: "a", args: {} })).notes, { "p.limit": 9 });
});

test("a plugin in TypeScript, and one of a package, are loaded", async () => {
  const kernel = await start({
    "fettle.config.yaml": "tools: [tools]\nplugins: [{ use: ./p.ts }, { use: their-plugin }]\n",
    "p.ts": PLUGIN.replace("(options)", "(options: { limit: number })"),
    "node_modules/their-plugin/package.json": '{"name":"their-plugin","type":"module","exports":{".":{"import":"./i.js"}}}',
    "node_modules/their-plugin/i.js": PLUGIN.replaceAll('"p"', '"their"'),
  });
  assert.deepEqual(kernel.explain("a")?.rings, [
    { position: "protect", plugin: "p" },
    { position: "protect", plugin: "their" },
  ]);
});

for (const [what, use, files, place, code, message] of [
  ["isn't there", "./q.mjs", {}, "2:10", "config/unknown-plugin", /There is no plugin \.\/q\.mjs/],
  ["is a package that isn't installed", '"@fettle/plugin-nowhere"', {}, "2:10", "config/unknown-plugin", /There is no plugin @fettle\/plugin-nowhere/],
  ["throws at import", "./p.mjs", { "p.mjs": "throw new Error('no');" }, "2:10", "config/plugin-failed", /can't be loaded: no/],
  ["has an error of the syntax", "./p.mjs", { "p.mjs": "export default {\n  a b\n};" }, "2:10", "config/plugin-failed", /can't be loaded: .*p\.mjs:2:5\)/],
  ["is no plugin", "./p.mjs", { "p.mjs": "export const a = 1;" }, "2:10", "config/bad-plugin", /its default export has no create/],
  [
    "throws in create",
    "./p.mjs",
    { "p.mjs": "export default { name: 'p', options: {}, create() { throw new Error('no'); } };" },
    "2:5",
    "config/plugin-failed",
    /The plugin p threw in create: no/,
  ],
  [
    "has a bad position",
    "./p.mjs",
    { "p.mjs": "export default { name: 'p', options: {}, create: () => ({ name: 'p', position: 'middle' }) };" },
    "2:5",
    "config/bad-plugin",
    /has the position "middle"/,
  ],
  [
    "has a bad name",
    "./p.mjs",
    { "p.mjs": "export default { name: 'P p', options: {}, create: () => ({ name: 'P p', position: 'shape' }) };" },
    "2:5",
    "config/bad-plugin",
    /"P p" is no name/,
  ],
  [
    "gives nothing",
    "./p.mjs",
    { "p.mjs": "export default { name: 'p', options: {}, create: () => undefined };" },
    "2:5",
    "config/bad-plugin",
    /gave no plugin object/,
  ],
  [
    "has options that are no schema",
    "./p.mjs",
    { "p.mjs": "export default { name: 'p', options: { type: 'objekt' }, create: () => ({ name: 'p', position: 'shape' }) };" },
    "2:5",
    "config/bad-plugin",
    /The options schema of p can't be enforced/,
  ],
  [
    "has a section that is no schema",
    "./p.mjs",
    { "p.mjs": "export default { name: 'p', options: {}, create: () => ({ name: 'p', position: 'shape', section: { $ref: 'https://example.org/x' } }) };" },
    "2:5",
    "config/bad-plugin",
    /The section schema of p can't be enforced/,
  ],
  [
    "claims a field of specs as section",
    "./p.mjs",
    { "p.mjs": "export default { name: 'examples', options: {}, create: () => ({ name: 'examples', position: 'shape', section: {} }) };" },
    "2:5",
    "config/bad-plugin",
    /a spec has a field of that name/,
  ],
] as const) {
  test(`a plugin that ${what} is an error with its place in the config`, async () => {
    const { diagnostics } = await failed(start({ "fettle.config.yaml": `plugins:\n  - use: ${use}\ntools: [tools]\n`, ...files }));
    assert.deepEqual(briefly(diagnostics), [`error ${code} fettle.config.yaml:${place}`]);
    assert.match(diagnostics[0]?.message ?? "", message);
  });
}

test("wrong options of a plugin are errors at their place", async () => {
  const { diagnostics } = await failed(
    start({ "fettle.config.yaml": "tools: [tools]\nplugins:\n  - use: ./p.mjs\n    with:\n      limit: many\n      limt: 3\n", "p.mjs": PLUGIN }),
  );
  assert.deepEqual(briefly(diagnostics).sort(), ["error config/bad-options fettle.config.yaml:5:14", "error config/bad-options fettle.config.yaml:6:7"]);
  assert.match(diagnostics.map(({ message }) => message).join("\n"), /The options of p don't fit: .*limit.*integer/);
});

for (const [use, hint] of [
  ["@fettle/plugin-validtion", /^Did you mean "@fettle\/plugin-validation"\?$/],
  ["validation", /^Did you mean "@fettle\/plugin-validation"\?$/],
  ["nope.mjs", /^Did you mean ".\/nope\.mjs"\?/],
  ["./plugins/frze.mjs", /^Did you mean "\.\/plugins\/freeze\.mjs"\?$/],
  ["./frze.mjs", /^Did you mean "\.\/freeze\.mjs"\?$/],
  ["./other.mjs", /^The path is relative to the config\.$/],
  ["their-plugin", /^See that the package is installed beside the config/],
] as const) {
  test(`a plugin called ${use} that isn't there is told what to do, and never to install a slip of the pen`, async () => {
    const { diagnostics } = await failed(
      start({ "fettle.config.yaml": `tools: [tools]\nplugins:\n  - use: "${use}"\n`, "plugins/freeze.mjs": "", "freeze.mjs": "" }),
    );
    assert.match(diagnostics[0]?.hint ?? "", hint);
    assert.doesNotMatch(diagnostics[0]?.hint ?? "", /npm install/);
  });
}

for (const [what, module, words] of [
  [
    "create gives a promise",
    "export default { name: 'p', options: {}, create: async () => ({ name: 'p', position: 'shape' }) };",
    /gave a promise from create/,
  ],
  [
    "name is another than its module's",
    "export default { name: 'p', options: {}, create: () => ({ name: 'q', position: 'shape' }) };",
    /The module is called p, and its plugin q/,
  ],
  ["options are null", "export default { name: 'p', options: null, create: () => ({ name: 'p', position: 'shape' }) };", /its options are no JSON Schema/],
  [
    "layer hook throws",
    "export default { name: 'p', options: {}, create: () => ({ name: 'p', position: 'shape', setup: () => ({ layer() { throw new Error('no'); } }) }) };",
    /The plugin p threw in layer for a: no/,
  ],
  [
    "set-up throws",
    "export default { name: 'p', options: {}, create: () => ({ name: 'p', position: 'shape', setup() { throw new Error('no'); } }) };",
    /The plugin p threw in setup: no/,
  ],
] as const) {
  test(`a plugin whose ${what} is an error at its place in the config`, async () => {
    const { diagnostics } = await failed(start({ "fettle.config.yaml": "tools: [tools]\nplugins:\n  - use: ./p.mjs\n", "p.mjs": module }));
    assert.match(diagnostics[0]?.message ?? "", words);
    assert.deepEqual([diagnostics[0]?.file.endsWith("fettle.config.yaml"), diagnostics[0]?.line], [true, 3]);
  });
}

test("two plugins of one name are an error", async () => {
  const { diagnostics } = await failed(start({ "fettle.config.yaml": "tools: [tools]\nplugins: [{ use: ./p.mjs }, { use: ./p.mjs }]\n", "p.mjs": PLUGIN }));
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["config/duplicate-plugin"],
  );
});

test("a folder of tools that isn't there is an error at its place in the config", async () => {
  const { diagnostics } = await failed(start({ "fettle.config.yaml": "tools:\n  - tools\n  - tolls\n" }));
  assert.deepEqual(briefly(diagnostics), ["error config/folder-missing fettle.config.yaml:3:5"]);
});

test("a set-up that throws is an error of the config", async () => {
  const { diagnostics } = await failed(
    start({
      "fettle.config.yaml": "tools: [tools]\nplugins: [{ use: ./p.mjs }]\n",
      "p.mjs": "export default { name: 'p', options: {}, create: () => ({ name: 'p', position: 'shape', setup() { throw new Error('no store'); } }) };",
    }),
  );
  assert.match(diagnostics[0]?.message ?? "", /The plugin p threw in setup: no store/);
});
