import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

// tsup stripped "node:" from imports, so the built testkit imported a package called "test". Tests read the sources, and none had noticed.
for (const dir of ["packages", "plugins"].flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))) {
  const { name, exports }: { name: string; exports: object } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  for (const path of Object.keys(exports)) {
    const entry = `${name}${path.slice(1)}`;
    test(`plain Node imports the build of ${entry}`, () => {
      // The CLI runs when it is imported: then --version is what it is asked for.
      const code = `process.argv = [process.argv[0], "entry", "--version"]; await import(${JSON.stringify(entry)});`;
      const { NODE_OPTIONS: _, ...env } = process.env;
      const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { cwd: dir, encoding: "utf8", env });
      assert.equal(status, 0, stderr);
    });
  }
}
