// Turns the raw V8 coverage of all processes into a report by c8, and into lines per package.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { workspacePackages } from "./workspace.mjs";

const skipped = new Set(["node_modules", "dist", "coverage"]);

/**
 * Prints the lines covered per package, from the raw coverage in `raw`.
 * @returns {boolean} whether every package reaches `mustReach` percent
 */
export function reportCoverage({ root, raw, mustReach }) {
  const packages = workspacePackages(root);
  keepOwnCode(root, raw, packages);
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/c8/bin/c8.js"),
      "report",
      "--all",
      "--exclude-after-remap", // built files count as the sources that their source maps name
      ...packages.flatMap(({ dir }) => ["--src", dir]),
      ...packages.map(({ dir }) => `--include=${dir}/**/*.{ts,mts,js,mjs}`),
      ...[
        "**/*.test.ts",
        "**/*.fixture.ts",
        "**/test/**",
        "**/fixtures/**",
        "**/dist/**",
        "**/bin/**",
        "**/node_modules/**",
        ...typeOnlyFiles(root, packages),
      ].map((glob) => `--exclude=${glob}`),
      "--temp-directory",
      raw,
      "--reports-dir",
      join(root, "coverage"),
      "--reporter=json-summary",
      "--reporter=text",
      "--reporter=lcovonly",
    ],
    { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
  );
  if (status !== 0) {
    console.error("coverage: c8 failed; its output is above.");
    return false;
  }
  const summary = JSON.parse(readFileSync(join(root, "coverage/coverage-summary.json"), "utf8"));
  const rows = packages.map(({ dir }) => {
    const own = Object.entries(summary).filter(([file]) => relative(root, file).startsWith(`${dir}${sep}`));
    const total = own.reduce((sum, [, { lines }]) => sum + lines.total, 0);
    const covered = own.reduce((sum, [, { lines }]) => sum + lines.covered, 0);
    return { dir, total, covered, percent: total === 0 ? 100 : (100 * covered) / total };
  });
  const width = Math.max(...rows.map(({ dir }) => dir.length));
  console.log("\nlines covered, by package");
  for (const { dir, total, covered, percent } of rows) {
    const low = percent < mustReach ? `   under ${mustReach} %` : "";
    console.log(`  ${dir.padEnd(width)}  ${percent.toFixed(1).padStart(5)} %  ${covered} of ${total}${low}`);
  }
  return rows.every(({ percent }) => percent >= mustReach);
}

/**
 * Drops from the raw files everything but the workspace's own modules: dependencies make them a hundred times larger, and
 * TypeScript without a source map (jiti compiles handlers that way) has offsets of a compiled text that nobody kept, which c8 would misread.
 */
function keepOwnCode(root, raw, packages) {
  const prefixes = packages.map(({ dir }) => `${pathToFileURL(join(root, dir)).href}/`);
  const own = (url) => prefixes.some((prefix) => url.startsWith(prefix)) && !url.includes("/node_modules/") && !/\.test\.ts(\?|$)/.test(url);
  for (const name of readdirSync(raw)) {
    const file = join(raw, name);
    let report;
    try {
      report = JSON.parse(readFileSync(file, "utf8"));
    } catch {
      report = { result: [] }; // a process that was killed while it wrote
    }
    const known = report["source-map-cache"] ?? {};
    const readable = (url) => own(url) && (url in known || !/\.[cm]?ts(\?|$)/.test(url));
    const maps = Object.entries(known)
      .filter(([url]) => own(url))
      .map(([url, map]) => [url, withAbsoluteSources(url, map)]);
    writeFileSync(file, JSON.stringify({ result: report.result.filter(({ url }) => readable(url)), "source-map-cache": Object.fromEntries(maps) }));
  }
}

/**
 * A source map whose sources are absolute paths. v8-to-istanbul 9 asks --exclude-after-remap about the sources of a bundle as the map writes them
 * (applyCoverage) but lists them by resolved path (getInnerIstanbul), so with relative ones every line of a bundle counts as covered.
 */
function withAbsoluteSources(url, map) {
  if (!map.data) return map;
  const base = new URL(map.data.sourceRoot || ".", url);
  return { ...map, data: { ...map.data, sourceRoot: "", sources: map.data.sources.map((source) => fileURLToPath(new URL(source, base))) } };
}

/** Files that hold types only: they are never loaded, and --all would count all their lines as missed. */
function typeOnlyFiles(root, packages) {
  const find = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : find(`${folder}/${entry.name}`);
      return entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts") ? [`${folder}/${entry.name}`] : [];
    });
  const options = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ES2022, verbatimModuleSyntax: true, removeComments: true };
  return packages
    .flatMap(({ dir }) => find(dir))
    .filter((file) => {
      const { outputText } = ts.transpileModule(readFileSync(join(root, file), "utf8"), { compilerOptions: options, fileName: file });
      return /^(export \{\s*\};?)?$/.test(outputText.trim());
    });
}
