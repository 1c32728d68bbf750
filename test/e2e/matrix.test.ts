import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { parse, stringify } from "yaml";
import { guideFile } from "../support/pluginGuide.js";
import { CLI, ROOT, serveHttp } from "./runCli.js";
import { sdkClients } from "./sdkClients.js";

// Every plugin of this repository is here as soon as its folder is: left out in turn, and alone.

interface FirstParty {
  readonly name: string;
  /** What its section of a spec holds; undefined where it has none. `plugins/NAME/test/section.yaml`, else an empty one. */
  readonly section: unknown;
  /** `plugins/NAME/test/options.yaml`, else its defaults. */
  readonly options: unknown;
}

const sample = (name: string, file: string): unknown => {
  const path = join(ROOT, "plugins", name, "test", file);
  return existsSync(path) ? parse(readFileSync(path, "utf8")) : {};
};

const plugins: FirstParty[] = [];
for (const name of readdirSync(join(ROOT, "plugins"))) {
  const { default: module } = await import(pathToFileURL(join(ROOT, "plugins", name, "src/index.ts")).href);
  const options = sample(name, "options.yaml");
  const { section } = module.create(options, { env: {}, configDir: ROOT });
  plugins.push({ name, section: section === undefined ? undefined : sample(name, "section.yaml"), options });
}

interface Combination {
  readonly title: string;
  readonly on: readonly FirstParty[];
  /** Whether the plugin of docs/plugins.md, which lies beside the config, is on too. */
  readonly guide: boolean;
}
const combinations: Combination[] = [
  { title: "no plugin at all", on: [], guide: false },
  { title: "every plugin", on: plugins, guide: false },
  { title: "every plugin, and the one of the guide", on: plugins, guide: true },
  { title: "the plugin of the guide alone", on: [], guide: true },
];
for (const plugin of plugins) {
  const others = plugins.filter((other) => other !== plugin);
  if (others.length > 0) combinations.push({ title: `every plugin but ${plugin.name}, and the one of the guide`, on: others, guide: true });
  combinations.push({ title: `${plugin.name} alone, and the plugin of the guide`, on: [plugin], guide: true });
}

const DAYS = { from: "2026-01-01", to: "2026-03-01" };
// A handler that refuses by itself what no schema can.
const HANDLER = `import { inputError } from "fettle";
export default ({ from, to }) => {
  if (to < from) throw inputError("days/backwards", { what: "The last day is before the first.", fix: "Swap from and to." });
  return { days: (Date.parse(to) - Date.parse(from)) / 86_400_000 };
};
`;

/** A project of two tools whose specs have the section of every plugin; one of them is exempt from the guide's freeze. */
async function project({ on, guide }: Combination): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-matrix-"));
  await cp(join(ROOT, "docs/hello"), folder, { recursive: true });
  const spec = parse(readFileSync(join(ROOT, "docs/hello/days_between.tool.yaml"), "utf8"));
  for (const { name, section } of plugins) if (section !== undefined) spec[name] = section;
  for (const name of ["days_between", "days_until"]) {
    const frozen = guide && name === "days_between" ? { freeze: { exempt: true } } : {};
    await writeFile(join(folder, `${name}.tool.yaml`), stringify({ ...spec, ...frozen, name }));
    await writeFile(join(folder, `${name}.handler.mjs`), HANDLER);
  }
  const use = on.map(({ name, options }) => ({ use: `@fettle/plugin-${name}`, with: options }));
  if (guide) await writeFile(join(folder, "freeze.mjs"), guideFile("freeze.mjs"));
  const config = {
    server: { name: "matrix", version: "1.0.0" },
    plugins: [...use, ...(guide ? [{ use: "./freeze.mjs", with: { until: "2999-01-01" } }] : [])],
  };
  await writeFile(join(folder, "fettle.config.yaml"), stringify(config));
  return folder;
}

for (const combination of combinations) {
  const { title, on, guide } = combination;
  test(`with ${title} specs are checked, tools served and called, and errors usable`, async () => {
    const folder = await project(combination);
    try {
      await checks(folder, on);
      await serves(folder, on, guide);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** `fettle check` warns of the section of a plugin that is off, and of nothing else. */
async function checks(folder: string, on: readonly FirstParty[]): Promise<void> {
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile(process.execPath, [CLI, "check", "--format", "json"], { cwd: folder }, (error, stdout) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout }),
    );
  });
  const { diagnostics }: { diagnostics: { code: string; severity: string; message: string }[] } = JSON.parse(stdout);
  const off = plugins.filter((plugin) => plugin.section !== undefined && !on.includes(plugin));
  assert.equal(code, 0, stdout);
  assert.deepEqual(
    diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    off.flatMap(() => ["warning spec/section-unused", "warning spec/section-unused"]),
    stdout,
  );
  for (const { name } of off)
    assert.ok(
      diagnostics.some(({ message }) => message.includes(name)),
      name,
    );
}

async function serves(folder: string, on: readonly FirstParty[], guide: boolean): Promise<void> {
  const server = await serveHttp({}, ["--config", join(folder, "fettle.config.yaml")]);
  const clients = sdkClients(() => ({ stdio: { command: "", args: [], env: {}, cwd: folder }, url: server.url }));
  for (const name of ["SDK 1.x over HTTP", "SDK 2.x over HTTP, 2026-07-28"]) {
    const client = await clients[name]?.();
    assert.ok(client);
    const tools = (await client.list()).map((tool) => tool.name);
    for (const tool of ["days_between", "days_until"]) assert.ok(tools.includes(tool), tools.join());
    assert.deepEqual((await client.call("days_between", DAYS)).structuredContent, { days: 59 });

    const backwards = await client.call("days_between", { from: DAYS.to, to: DAYS.from });
    assert.equal(backwards.isError, true);
    assert.match(backwards.content[0]?.text ?? "", /The last day is before the first\.[\s\S]*Swap from and to\./);
    await assert.rejects(client.call("days_betwen", DAYS), /days_between/);

    const other = await client.call("days_until", DAYS);
    if (guide) assert.match(other.content[0]?.text ?? "", /No tool is run before 2999-01-01\./);
    else assert.deepEqual(other.structuredContent, { days: 59 });

    if (on.some((plugin) => plugin.name === "validation")) {
      const wrong = await client.call("days_between", { frm: "2026-01-01", to: "2026-03-01" });
      assert.match(wrong.content[0]?.text ?? "", /unknown argument frm\. Did you mean from\?/);
    }
    await client.close();
  }
  const { code } = await server.stop();
  assert.equal(code, 0, server.stderr());
}
