// Installs and builds everything; quick when nothing changed. What `npm start` and `npm test` run first.
// `npm start` leaves out test/programs, which is some 400 MB that only tests run.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PNPM = "pnpm@10.34.9";

const run = (what, command, args) => {
  // `npm run --silent` would have pnpm keep its errors to itself.
  const env = { ...process.env, npm_config_yes: "true", npm_config_loglevel: "notice" };
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], env });
  if (status === 0) return;
  console.error(`\nsetup: ${what} failed${error ? `: ${error.message}` : ""}. The lines above say why.`);
  process.exit(1);
};

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`setup: Fettle needs Node 20.19 or newer, this is ${process.versions.node}.`);
  process.exit(1);
}
// CI installs what the lock file says; on a laptop a package.json may have changed since, for example by a new plugin.
const frozen = process.env.CI === "true" ? ["--frozen-lockfile"] : [];
const offline = existsSync(join(root, "node_modules")) ? ["--prefer-offline"] : [];
// With a filter pnpm leaves the other projects alone, also where they are installed already.
const wanted = process.env.npm_lifecycle_event === "start" ? ["--filter=!fettle-test-programs"] : [];
run("pnpm install", "npx", ["-y", PNPM, ...wanted, "install", ...frozen, ...offline]);
run("the build", process.execPath, ["scripts/build.mjs"]);
