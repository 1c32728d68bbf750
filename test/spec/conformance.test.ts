import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Diagnostic, definePlugin } from "@fettle/contract";
import { checkDocument, checkSpecs, configFromCode, type Files, LoadFailed, loadConfig, type Platform } from "@fettle/kernel";
import { nodePlatform } from "@fettle/kernel/node";
import { type DrawnExpectation, drawnDifferences, drawnExpectations } from "@fettle/testkit";

const root = fileURLToPath(new URL("../../", import.meta.url));
const spec = join(root, "spec/v1");
const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** Configs of the conformance files may use these two variables: one is set, one never is. */
const env = { FETTLE_CONFORMANCE_NAME: "words" };

/** Tool files are read with one plugin on, so that its section is known. */
const sample = definePlugin({
  name: "sample",
  options: { type: "object" },
  create: () => ({
    name: "sample",
    position: "protect",
    section: { type: "object", additionalProperties: false, properties: { level: { type: "integer" }, module: { type: "string" } } },
    modules: ({ section }) => (section?.module === undefined ? [] : [{ reference: section.module, path: ["sample", "module"] }]),
  }),
});

/** One conformance case: a file, or a folder of specs that are loaded together. */
interface Case {
  readonly name: string;
  readonly valid: boolean;
  /** Files with drawn expectations, and their texts. */
  readonly texts: ReadonlyMap<string, string>;
  check(): Promise<readonly Diagnostic[]>;
}

const cases = [...casesOf("valid"), ...casesOf("invalid")];

before(() => assert.ok(cases.length >= 120, `there are only ${cases.length} conformance cases`));

for (const { name, valid, texts, check } of cases) {
  test(`${valid ? "nothing is reported of" : "exactly what is drawn is reported of"} ${name}`, async () => {
    const drawn = new Map([...texts].map(([file, text]) => [file, drawnExpectations(text, { file: relative(root, file), expect: valid ? "none" : "any" })]));
    if (valid)
      assert.ok(
        [...texts.values()].some((text) => rulesCovered(text).length > 0),
        "a valid file says what it covers: # covers: T-NAME-1, T-TAG-1",
      );
    else assertDrawn(name, [...drawn.values()].flat());

    const diagnostics = await check();

    const differences: string[] = [];
    for (const [file, text] of texts) {
      const reported = diagnostics.filter((diagnostic) => diagnostic.file === file);
      differences.push(...drawnDifferences(text, drawn.get(file) ?? [], reported).map((difference) => `${relative(root, file)}: ${difference}`));
    }
    differences.push(...diagnostics.filter(({ file }) => !texts.has(file)).map(({ file, message }) => `${file}: reported of no conformance file: ${message}`));
    assert.deepEqual(differences, [], differences.join("\n"));
  });
}

for (const kind of ["valid", "invalid"] as const) {
  test(`every rule of the spec has a ${kind} file`, () => {
    const covered = new Set(
      cases
        .filter(({ valid }) => valid === (kind === "valid"))
        .flatMap(({ texts }) => [...texts.values()].flatMap(kind === "valid" ? rulesCovered : rulesDrawn)),
    );
    const missing = [...rulesInUse()].filter((rule) => !covered.has(rule)).sort();
    assert.deepEqual(missing, []);
    const unknown = [...covered].filter((rule) => !rulesInUse().has(rule)).sort();
    assert.deepEqual(unknown, [], "these name a rule that neither a meta-schema nor the loader has");
  });
}

test("every rule of the spec is in the prose, and every rule in the prose is one", () => {
  const prose = new Set([...readFileSync(join(spec, "README.md"), "utf8").matchAll(/\[([TCEDS]-[A-Z]+-\d+)\]/g)].map(([, id = ""]) => id));
  const rules = rulesInUse();
  assert.deepEqual([...rules].filter((rule) => !prose.has(rule)).sort(), [], "missing in spec/v1/README.md");
  assert.deepEqual([...prose].filter((rule) => !rules.has(rule)).sort(), [], "in spec/v1/README.md and nowhere else");
});

test("every field of every meta-schema is in the prose and has a description", () => {
  const prose = readFileSync(join(spec, "README.md"), "utf8");
  for (const format of ["tool", "config", "error", "diagnostic", "scenario"]) {
    const schema: unknown = JSON.parse(readFileSync(join(spec, `${format}.schema.json`), "utf8"));
    for (const [name, property] of propertiesOf(schema)) {
      assert.ok(prose.includes(`\`${name}\``), `${format}: ${name} is not in spec/v1/README.md`);
      if (!("$ref" in property)) assert.ok(typeof property["description"] === "string", `${format}: ${name} has no description`);
    }
  }
});

test("the examples in the prose are valid", async () => {
  const blocks = [...readFileSync(join(spec, "README.md"), "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  const block = (start: RegExp): string => blocks.find((text) => start.test(text)) ?? assert.fail(`there is no example that matches ${start}`);
  const on = (text: string): Platform => platform({ [join(spec, "word_find.tool.yaml")]: text });
  const tool = block(/^# yaml-language-server/)
    .replace("examples: []\n", block(/^examples:/))
    .replace("common_errors: []\n", block(/^common_errors:/));
  assert.match(tool, /letters: se[\s\S]*words\/no-list/);
  assert.deepEqual(await checkTools(join(spec, "word_find.tool.yaml"), false, on(tool)), []);
  await loadConfig({ file: join(spec, "word_find.tool.yaml"), platform: on(block(/^server:/)) });
  for (const [format, start] of [
    ["error", /^error_type:/],
    ["diagnostic", /^code:/],
    ["scenario", /^spec_version: 1\nscenarios:/],
  ] as const) {
    const { diagnostics } = await checkDocument({ format, file: join(spec, "word_find.tool.yaml"), files: on(block(start)).files });
    assert.deepEqual(diagnostics, [], format);
  }
});

/** An invalid case draws something, with rules, and is called after the rule that it is about. */
function assertDrawn(name: string, drawn: readonly DrawnExpectation[]): void {
  assert.ok(drawn.length > 0, "an invalid case draws what is wrong with it");
  assert.ok(
    drawn.every(({ rule }) => rule !== undefined),
    "every mark names its rule",
  );
  assert.match(basename(name), /^[TCEDS]-[A-Z]+-\d+-/, "the name of an invalid case begins with a rule");
}

/** Ids in the meta-schemas' $comment and in the loader's code. */
function rulesInUse(): ReadonlySet<string> {
  const rules = new Set<string>();
  const collect = (folder: string, pattern: RegExp, ending: string): void => {
    for (const file of filesUnder(folder).filter((path) => path.endsWith(ending) && !path.endsWith(".test.ts"))) {
      for (const [, id = ""] of readFileSync(file, "utf8").matchAll(pattern)) rules.add(id);
    }
  };
  collect(spec, /"\$comment": "([A-Z]-[A-Z]+-\d+)"/g, ".schema.json");
  collect(join(root, "packages/kernel/src/load"), /"([TCEDS]-[A-Z]+-\d+)"/g, ".ts");
  return rules;
}

function rulesCovered(text: string): readonly string[] {
  return /^# covers: (.+)$/m.exec(text)?.[1]?.split(/,\s*/) ?? [];
}

function rulesDrawn(text: string): readonly string[] {
  return drawnExpectations(text).flatMap(({ rule }) => rule ?? []);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

/** All properties with their schemas, also of $defs. */
function* propertiesOf(schema: unknown): Iterable<[string, Readonly<Record<string, unknown>>]> {
  if (!isObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties" && isObject(value)) for (const [name, property] of Object.entries(value)) if (isObject(property)) yield [name, property];
    yield* propertiesOf(value);
  }
}

function casesOf(kind: "valid" | "invalid"): readonly Case[] {
  const folder = join(spec, kind);
  const single = (format: string, check: (file: string, text: string) => Promise<readonly Diagnostic[]>): Case[] =>
    readdirSync(join(folder, format))
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => {
        const file = join(folder, format, name);
        const text = readFileSync(file, "utf8");
        return {
          name: `${kind}/${format}/${name.replace(/\.[a-z]+\.yaml$/, "")}`,
          valid: kind === "valid",
          texts: new Map([[file, text]]),
          check: () => check(file, text),
        };
      });
  const folders = (group: string, handlers: boolean): Case[] =>
    readdirSync(join(folder, group)).map((name) => {
      const path = join(folder, group, name);
      const texts = new Map(
        filesUnder(path)
          .filter((file) => file.endsWith(".tool.yaml"))
          .map((file) => [file, readFileSync(file, "utf8")]),
      );
      return { name: `${kind}/${group}/${name}`, valid: kind === "valid", texts, check: () => checkTools(path, handlers) };
    });
  return [
    ...single("tool", checkTool),
    ...folders("catalog", false),
    ...folders("handler", true),
    ...single("config", checkConfig),
    ...single("error", (file) => checkOther("error", file)),
    ...single("diagnostic", (file) => checkOther("diagnostic", file)),
    ...single("scenario", (file) => checkOther("scenario", file)),
  ];
}

/** A single tool is read under the name that its `# file:` says, else under the name of its tool: the name of a conformance file is a sentence. */
async function checkTool(file: string, text: string): Promise<readonly Diagnostic[]> {
  const name = /^# file: (\S+)$/m.exec(text)?.[1] ?? `${/^name: *(\S+)/m.exec(text)?.[1] ?? "probe"}.tool.yaml`;
  const readAs = join(dirname(file), name);
  const diagnostics = await checkTools(readAs, false, platform({ [readAs]: text }));
  return diagnostics.map((diagnostic) => (diagnostic.file === readAs ? { ...diagnostic, file } : diagnostic));
}

async function checkTools(path: string, handlers: boolean, on: Platform = platform({})): Promise<readonly Diagnostic[]> {
  const checked = await checkSpecs({ config: configFromCode({}, dirname(path)), platform: on, plugins: [sample], paths: [path], handlers });
  return checked.diagnostics;
}

async function checkConfig(file: string): Promise<readonly Diagnostic[]> {
  const on = platform({});
  try {
    const config = await loadConfig({ file, platform: on });
    const tools = config.config.tools ? {} : { paths: [] };
    return (await checkSpecs({ config, platform: on, handlers: false, ...tools })).diagnostics;
  } catch (error) {
    if (error instanceof LoadFailed) return error.diagnostics;
    throw error;
  }
}

async function checkOther(format: "error" | "diagnostic" | "scenario", file: string): Promise<readonly Diagnostic[]> {
  return (await checkDocument({ format, file, files: platform({}).files })).diagnostics;
}

/** The real platform, with some files in memory. */
function platform(memory: Readonly<Record<string, string>>): Platform {
  const real = nodePlatform({ log: silent, env });
  const bytes = new Map(Object.entries(memory).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const files: Files = {
    list: (folder) => real.files.list(folder),
    read: async (path) => bytes.get(path) ?? real.files.read(path),
    size: async (path) => bytes.get(path)?.length ?? real.files.size(path),
    real: (path) => real.files.real(path),
  };
  return { ...real, files };
}

function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}${sep}${entry.name}`)
    .sort();
}
