import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), "../.."));
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const recipe = page.slice(page.indexOf("## Recipe: a plugin"), page.indexOf("## Definition of done"));

/** The fenced blocks of the recipe in that language, without the indentation of the list. */
const blocks = (language: string): string[] =>
  [...recipe.matchAll(/^ {3}```(\w+)\n([\s\S]*?)^ {3}```$/gm)].flatMap(([, name, text = ""]) => (name === language ? [text.replace(/^ {3}/gm, "")] : []));

const [manifestText = ""] = blocks("json");
const [source = "", testSource = ""] = blocks("ts");
const manifest: Record<"dependencies" | "devDependencies", Record<string, string>> & { exports: object; name: string } = JSON.parse(manifestText);

// The package as the recipe makes it, in a folder of its own: what it may import is linked as pnpm would, everything else is as in plugins/.
const folder = mkdtempSync(join(tmpdir(), "fettle-recipe-"));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "src"));
mkdirSync(join(folder, "node_modules/@fettle"), { recursive: true });
for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
  symlinkSync(join(root, "packages", name.replace("@fettle/", "")), join(folder, "node_modules", name));
symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
writeFileSync(join(folder, "package.json"), manifestText);
writeFileSync(join(folder, "src/index.ts"), source);
writeFileSync(join(folder, "src/quota.test.ts"), testSource);
writeFileSync(join(folder, "tsconfig.json"), readFileSync(join(root, "plugins/validation/tsconfig.json"), "utf8").replaceAll("../../", `${root}/`));

const node = (...args: string[]): { status: number | null; output: string } => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  return { status, output: stdout + stderr };
};

test("the plugin of CONTRIBUTING's recipe builds with the tsconfig of a plugin", () => {
  const { status, output } = node(join(root, "node_modules/typescript/bin/tsc"), "-p", ".");
  assert.equal(status, 0, output);
  assert.match(readFileSync(join(folder, "dist/index.d.ts"), "utf8"), /export default quota/);
});

test("the test of CONTRIBUTING's recipe passes, and the laws with it", () => {
  const tsx = join(root, "node_modules/tsx/dist/loader.mjs");
  const { status, output } = node("--conditions=source", `--import=${tsx}`, "--test", "src/quota.test.ts");
  assert.equal(status, 0, output);
  assert.match(output, /the next minute starts afresh[\s\S]*quota: it loads without a finding/);
});

test("the package.json of CONTRIBUTING's recipe has the keys of the plugins that are there, and no dependency that its source doesn't import", () => {
  const known: object = JSON.parse(readFileSync(join(root, "plugins/validation/package.json"), "utf8"));
  assert.deepEqual(Object.keys(manifest), Object.keys(known));
  for (const name of Object.keys(manifest.dependencies)) assert.ok(source.includes(`from "${name}"`), name);
  for (const name of Object.keys(manifest.devDependencies)) assert.ok(testSource.includes(`from "${name}"`), name);
});

test("the exports that CONTRIBUTING's recipe pins are those of its source", () => {
  const [, pinned = "[]"] = /"@fettle\/plugin-quota": (\[.*?\])/.exec(recipe) ?? [];
  const named = [...source.matchAll(/^export (interface|const) (\w+)/gm)].map(([, kind, name]) => (kind === "interface" ? `type ${name}` : name));
  assert.deepEqual(JSON.parse(pinned), ["default", ...named.toReversed()]);
});
