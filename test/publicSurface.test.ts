import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly source?: string } | string>>;
}

/** What can be imported, and the source file behind it: `@fettle/kernel/node` -> packages/kernel/src/node/index.ts. */
const entries = new Map<string, string>();
for (const group of ["packages", "plugins"]) {
  for (const folder of readdirSync(join(root, group))) {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, group, folder, "package.json"), "utf8"));
    if (manifest.private) continue;
    for (const [path, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === "object" && target.source) entries.set(join(manifest.name, path), join(root, group, folder, target.source));
    }
  }
}

const { config } = ts.readConfigFile(join(root, "tsconfig.tests.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [...entries.values()], include: [] }, ts.sys, root);
const program = ts.createProgram([...entries.values()], { ...options, incremental: false });
const checker = program.getTypeChecker();

/** The names that a module exports, types marked as such, sorted. */
const exportsOf = (file: string): string[] => {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) return [];
  return checker
    .getExportsOfModule(module)
    .map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return target.flags & ts.SymbolFlags.Value ? symbol.name : `type ${symbol.name}`;
    })
    .sort();
};

const surface: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(join(root, "test/publicSurface.json"), "utf8"));

test("every entry point of every published package is pinned, and no other", () => {
  assert.deepEqual([...entries.keys()].sort(), Object.keys(surface).sort());
});

for (const [name, file] of entries) {
  test(`${name} exports what test/publicSurface.json says; where it should export something else, change the file and add a changeset`, () => {
    assert.deepEqual(exportsOf(file), surface[name]);
  });
}
