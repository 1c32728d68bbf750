import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Plugin } from "@fettle/contract";
import { HANDLER, machine, project, specText } from "../../test/project.js";
import { createKernel } from "../createKernel.js";
import type { Kernel } from "../kernel.js";
import type { Platform } from "../platform.js";
import { loadConfig } from "./loadConfig.js";

const CONFORMANCE = fileURLToPath(new URL("../../../../spec/v1", import.meta.url));

/** Starts a kernel as a process would, on what earlier ones kept. */
async function start(
  folder: string,
  { version = "one", plugins = [] }: { readonly version?: string; readonly plugins?: readonly Plugin[] } = {},
): Promise<Kernel> {
  const platform = machine({}, version);
  return createKernel({ config: await loadConfig({ file: join(folder, "fettle.config.yaml"), platform }), platform, plugins });
}

const seen = ({ diagnostics, sources, catalog }: Kernel): unknown => ({
  diagnostics,
  sources,
  tools: catalog().tools.map(({ name, version, spec, file }) => ({ name, version, spec, file })),
});

const keptIn = (folder: string): string => join(folder, ".fettle", "cache", "fettle.config.yaml.json");

const words = (files: Readonly<Record<string, string | Uint8Array>> = {}, config = "tools: [tools]\n"): ReturnType<typeof project> =>
  project({ "fettle.config.yaml": config, "tools/find.tool.yaml": specText("find"), "tools/find.handler.mjs": HANDLER, ...files });

const descriptionOf = (kernel: Kernel): unknown => kernel.catalog().get("find")?.spec.description_short;

/** Makes the cache say something that the spec doesn't, with a sum that is right: what is served then shows where it was read from. */
async function withMark(folder: string): Promise<void> {
  const json = (readFileSync(keptIn(folder), "utf8").split("\n")[1] ?? "").replace("The test tool find.", "From the cache.");
  writeFileSync(keptIn(folder), `${createHash("sha256").update(json).digest("base64")}\n${json}`);
}

test("valid and invalid specs give the same tools, findings and texts, without a cache, with a new one and with a full one", async () => {
  const { folder } = project({ "fettle.config.yaml": `tools: [${CONFORMANCE}/valid, ${CONFORMANCE}/invalid]\n` });
  const without = seen(await start(folder, { version: "first" }));
  rmSync(join(folder, ".fettle"), { recursive: true });
  const fresh = seen(await start(folder));
  const full = seen(await start(folder));
  assert.deepEqual(fresh, without);
  assert.deepEqual(full, without);
});

test("a spec that wasn't changed is read from the cache, and a changed byte is a miss", async () => {
  const { folder, write } = words();
  await start(folder);
  await withMark(folder);
  assert.equal(descriptionOf(await start(folder)), "From the cache.");
  write("tools/find.tool.yaml", `${specText("find")} `);
  assert.equal(descriptionOf(await start(folder)), "The test tool find.");
});

test("what other code wrote isn't read, nor what was checked for other sections of plugins", async () => {
  const { folder } = words();
  const plugin: Plugin = { name: "quota", position: "protect", section: { type: "object" } };
  await start(folder);
  await withMark(folder);
  assert.equal(descriptionOf(await start(folder, { plugins: [plugin] })), "The test tool find.");
  await withMark(folder);
  assert.equal(descriptionOf(await start(folder, { plugins: [plugin] })), "From the cache.");
  assert.equal(descriptionOf(await start(folder, { plugins: [plugin], version: "two" })), "The test tool find.");
});

test("a cache that is cut, changed, empty or no text is none", async () => {
  const { folder } = words();
  await start(folder);
  const whole = readFileSync(keptIn(folder));
  const changed = Buffer.from(whole.toString().replace("The test tool find.", "The best tool find."));
  for (const broken of [
    whole.subarray(0, whole.length / 2),
    changed,
    Buffer.alloc(0),
    Buffer.from([0, 255, 10, 123]),
    Buffer.from("null"),
    Buffer.from("\n"),
  ]) {
    writeFileSync(keptIn(folder), broken);
    assert.equal(descriptionOf(await start(folder)), "The test tool find.");
    assert.deepEqual(readFileSync(keptIn(folder)), whole, "it is written anew");
  }
});

test("a spec that vanished isn't kept", async () => {
  const { folder } = words({ "tools/gone.tool.yaml": specText("gone"), "tools/gone.handler.mjs": HANDLER });
  await start(folder);
  rmSync(join(folder, "tools/gone.tool.yaml"));
  assert.equal((await start(folder)).catalog().tools.length, 1);
  assert.doesNotMatch(readFileSync(keptIn(folder), "utf8"), /gone/);
});

test("a place that can't be written or read is no failure", async () => {
  const { folder } = words({ ".fettle": "a file where the folder should be" });
  assert.equal(descriptionOf(await start(folder)), "The test tool find.");
  const locked = words({ ".fettle/cache/fettle.config.yaml.json/in-the-way": "" });
  assert.equal(descriptionOf(await start(locked.folder)), "The test tool find.");
  const readOnly = words({ ".fettle/cache/.gitignore": "*\n" });
  chmodSync(join(readOnly.folder, ".fettle/cache"), 0o500);
  assert.equal(descriptionOf(await start(readOnly.folder)), "The test tool find.");
  chmodSync(join(readOnly.folder, ".fettle/cache"), 0o700);
});

test("many that start at once leave one whole file, and nothing beside it", async () => {
  const { folder } = words();
  const kernels = await Promise.all(Array.from({ length: 8 }, () => start(folder)));
  for (const kernel of kernels) assert.equal(descriptionOf(kernel), "The test tool find.");
  assert.deepEqual(readdirSync(join(folder, ".fettle/cache")).sort(), [".gitignore", "fettle.config.yaml.json"]);
  await withMark(folder);
  assert.equal(descriptionOf(await start(folder)), "From the cache.");
});

test("nothing is kept where the config says so, where it is made in code, and where the platform has no cache", async () => {
  const { folder } = words({}, "tools: [tools]\ncache: false\n");
  await start(folder);
  const { folder: other } = words();
  const platform = machine({}, "one");
  await createKernel({ config: { config: { tools: ["tools"] }, file: undefined, folder: other }, platform });
  const { cache: _, ...bare }: Platform = platform;
  await createKernel({ config: await loadConfig({ file: join(other, "fettle.config.yaml"), platform }), platform: bare });
  for (const each of [folder, other]) assert.equal(readdirSync(each).includes(".fettle"), false);
});

test("-0, which JSON doesn't have, stays what it is", async () => {
  const text = specText("find", { parameters: { type: "object", properties: { n: { type: "number", default: "ZERO" } } } }).replace('"ZERO"', "-0.0");
  const { folder } = words({ "tools/find.tool.yaml": text });
  await start(folder);
  assert.deepEqual(seen(await start(folder)), seen(await start(folder, { version: "two" })));
});

test("a cache of a wrong shape is none, also where its checksum is right", async () => {
  const { folder } = words();
  await start(folder);
  const whole = readFileSync(keptIn(folder));
  const { key, specs } = JSON.parse(whole.toString().split("\n")[1] ?? "");
  const [file = "", entry] = Object.entries<object>(specs)[0] ?? [];
  const broken = ["hash", "data", "diagnostics"].flatMap((name) => [null, 7, "x", [], {}, [7], undefined].map((value) => ({ ...entry, [name]: value })));
  const contents = [null, 7, [], {}, { key }, { key, specs: null }, { key, specs: [] }, ...broken.map((each) => ({ key, specs: { [file]: each } }))];
  for (const content of [...contents, { key, specs: { [file]: null } }]) {
    const json = JSON.stringify(content);
    writeFileSync(keptIn(folder), `${createHash("sha256").update(json).digest("base64")}\n${json}`);
    assert.equal(descriptionOf(await start(folder)), "The test tool find.", json.slice(0, 200));
  }
});

test("a pipe in its place is not waited for, and one that is too large isn't read", { skip: process.platform === "win32" }, async () => {
  const { folder } = words();
  mkdirSync(join(folder, ".fettle/cache"), { recursive: true });
  execFileSync("mkfifo", [keptIn(folder)]);
  assert.equal(descriptionOf(await start(folder)), "The test tool find.");
});

test("nothing is written by way of a link, and a .gitignore that is there stays", async () => {
  for (const link of [".fettle", ".fettle/cache"]) {
    const { folder } = words();
    const elsewhere = mkdtempSync(join(tmpdir(), "fettle-elsewhere-"));
    if (link !== ".fettle") mkdirSync(join(folder, ".fettle"));
    symlinkSync(elsewhere, join(folder, link));
    assert.equal(descriptionOf(await start(folder)), "The test tool find.");
    assert.equal(existsSync(join(elsewhere, ".gitignore")) || existsSync(join(elsewhere, "cache", ".gitignore")), false);
    rmSync(elsewhere, { recursive: true });
  }
  const { folder } = words({ ".fettle/cache/.gitignore": "mine\n" });
  await start(folder);
  assert.equal(readFileSync(join(folder, ".fettle/cache/.gitignore"), "utf8"), "mine\n");
});
