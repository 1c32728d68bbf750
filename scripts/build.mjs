// Builds every package and plugin: JavaScript by tsup, declarations by one tsc -b. The CLI gets a copy of the meta-schemas, which editors read.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { workspacePackages } from "./workspace.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);

const started = Date.now();
const packages = workspacePackages(root).filter((pkg) => !pkg.private);
await Promise.all(
  packages.map((pkg) => {
    const { exports } = JSON.parse(readFileSync(join(pkg.dir, "package.json"), "utf8"));
    const entry = Object.fromEntries(
      Object.values(exports)
        .filter((target) => typeof target === "object")
        .map(({ source }) => [source.replace("./src/", "").replace(/\.ts$/, ""), join(pkg.dir, source)]),
    );
    return build({
      config: false,
      entry,
      outDir: join(pkg.dir, "dist"),
      tsconfig: join(root, "tsconfig.base.json"),
      format: "esm",
      target: "node20",
      platform: "node",
      dts: false,
      sourcemap: true,
      clean: false,
      splitting: true,
      // tsup's default strips "node:" from imports, and node:test has no other name.
      removeNodeProtocol: false,
      silent: true,
      external: [/^[^./]/],
    });
  }),
);
// Chunks are named by their content, so those of earlier builds stay behind. Declarations are tsc's: it keeps track of its own.
for (const { dir } of packages) {
  for (const name of readdirSync(join(dir, "dist"), { recursive: true, encoding: "utf8" })) {
    const file = join(dir, "dist", name);
    if (/\.js(\.map)?$/.test(name) && statSync(file).mtimeMs < started - 1_000) rmSync(file);
  }
}
// Specs of a project name them by a path into node_modules/fettle.
const schemas = join(root, "packages/fettle/spec");
for (const name of readdirSync(join(root, "spec/v1")).filter((name) => name.endsWith(".schema.json")))
  cpSync(join(root, "spec/v1", name), join(schemas, "v1", name));
process.exit(spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b"], { stdio: "inherit", cwd: root }).status ?? 1);
