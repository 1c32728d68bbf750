// Runs every check that isn't a test, and says at the end how each went.
//   npm run check                     all of them
//   npm run check -- law unused       those whose name contains one of the words
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importPacked } from "./importPacked.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const words = process.argv.slice(2);
if (!existsSync(join(root, "node_modules"))) {
  console.error("check: nothing is installed yet. Run npm run setup first.");
  process.exit(2);
}
const bin = (file) => [process.execPath, join(root, "node_modules", file)];
const PNPM = ["npx", "-y", "pnpm@10.34.9"];

/**
 * Runs a command from the root.
 * @param {string[]} line the command and its arguments
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
const run = (line) =>
  new Promise((resolve) => {
    const [command = "", ...args] = line;
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => resolve({ ok: false, output: `${command}: ${error.message}` }));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });

/** Runs commands one after the other until one fails. */
const runAll = async (commands) => {
  let output = "";
  for (const command of commands) {
    const one = await run(command);
    output += one.output;
    if (!one.ok) return { ok: false, output };
  }
  return { ok: true, output };
};

/** Packs what would be published and has it judged as whoever installs it would see it. */
const packed = async () => {
  const folder = mkdtempSync(join(tmpdir(), "fettle-packed-"));
  try {
    const pack = await run([...PNPM, "-r", "--filter=./packages/*", "--filter=./plugins/*", "pack", "--pack-destination", folder]);
    if (!pack.ok) return pack;
    let output = "";
    let ok = true;
    const judge = async (tarball) => {
      const manifest = await run(["tar", "-xOf", tarball, "package/package.json"]);
      const leak = /"source":|workspace:/.exec(manifest.output);
      const stray = /^(?!package\/templates\/)\S*(\.tsbuildinfo|\.test\.\S+)$/m.exec((await run(["tar", "-tzf", tarball])).output);
      const findings = [
        await run([...bin("publint/src/cli.js"), tarball, "--strict"]),
        await run([...bin("@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "esm-only"]),
        { ok: manifest.ok && !leak, output: leak ? `package.json of ${tarball} still has ${leak[0]} after packing: see publishConfig.exports\n` : "" },
        { ok: !stray, output: stray ? `${tarball} holds ${stray[0]}: see "files" in its package.json\n` : "" },
      ];
      for (const finding of findings.filter((one) => !one.ok)) {
        ok = false;
        output += finding.output;
      }
    };
    const all = readdirSync(folder).map((name) => join(folder, name));
    const tarballs = [...all];
    // Two at a time, as on the machines that CI has.
    const worker = async () => {
      for (let tarball = tarballs.pop(); tarball; tarball = tarballs.pop()) await judge(tarball);
    };
    await Promise.all([worker(), worker()]);
    const imported = importPacked(root, all, join(folder, "installed"));
    return { ok: ok && imported.ok, output: output + imported.output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** What the changesets amount to; throws on one that names no package or can't be read. */
const releases = async () => {
  const getReleasePlan = createRequire(import.meta.url)("@changesets/get-release-plan").default;
  try {
    const plan = await getReleasePlan(root);
    return { ok: true, output: plan.releases.map((one) => `${one.name} ${one.oldVersion} -> ${one.newVersion}\n`).join("") };
  } catch (error) {
    return { ok: false, output: `${error instanceof Error ? error.message : error}\n` };
  }
};

const build = {
  name: "build and types",
  does: "tsup makes the JavaScript, tsc -b the declarations",
  go: () => run([process.execPath, "scripts/build.mjs"]),
};
const checks = [
  { name: "format and lint", does: "biome", go: () => run([...bin("@biomejs/biome/bin/biome"), "ci", "--colors=off", "."]) },
  {
    name: "import law",
    does: "dependency-cruiser",
    go: () => run([...bin("dependency-cruiser/bin/dependency-cruise.mjs"), "--config", ".dependency-cruiser.cjs", "packages", "plugins", "tools", "test"]),
  },
  { name: "nothing unused or undeclared", does: "knip", go: () => run([...bin("knip/bin/knip.js")]) },
  { name: "generated files are up to date", does: "scripts/generate.mjs --check", go: () => run([process.execPath, "scripts/generate.mjs", "--check"]) },
  { name: "changesets", does: "every changeset is readable and names packages that exist", go: releases },
  build,
  {
    name: "types of tests, tools and scripts",
    does: "tsc over what is not built",
    go: () => runAll(["tsconfig.tests.json", "tsconfig.scripts.json"].map((file) => [...bin("typescript/bin/tsc"), "-p", file])),
  },
  { name: "packed packages", does: "publint and attw on what would be published, and plain Node imports every entry", needs: build, go: packed },
];

const wanted = checks.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
if (wanted.length === 0) {
  console.error(`check: no check has ${words.join(" or ")} in its name. There are: ${checks.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

const results = new Map();
const perform = async (check) => {
  const started = Date.now();
  const blocked = check.needs && results.get(check.needs)?.ok === false;
  const { ok, output } = blocked ? { ok: false, output: `Not run, because "${check.needs.name}" failed.\n` } : await check.go();
  results.set(check, { ok, seconds: (Date.now() - started) / 1000 });
  console.log(`\n== ${check.name} (${check.does})`);
  console.log(ok ? "ok" : `${output.trimEnd()}\nFAILED`);
};

// Two lanes for two cores. The build and what needs it share one.
const heavy = checks.slice(checks.indexOf(build));
const lanes = [wanted.filter((check) => !heavy.includes(check)), wanted.filter((check) => heavy.includes(check))];
await Promise.all(
  lanes.map(async (lane) => {
    for (const check of lane) await perform(check);
  }),
);

console.log("\n== all checks");
for (const check of wanted) {
  const { ok, seconds } = results.get(check);
  console.log(`${ok ? "ok    " : "FAILED"} ${check.name} (${seconds.toFixed(1)} s)`);
}
process.exit(wanted.every((check) => results.get(check).ok) ? 0 : 1);
