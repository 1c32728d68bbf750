import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

type ComponentName = "git" | "node22" | "node24";

interface Component {
  readonly probe: readonly string[];
  readonly needed_by: string;
  readonly get: string;
}

const components: Readonly<Record<ComponentName, Component>> = JSON.parse(readFileSync(new URL("./components.json", import.meta.url), "utf8"));
const root = fileURLToPath(new URL("../..", import.meta.url));
const probed = new Map<ComponentName, { skip: string | false }>();

/**
 * Options for a test that needs a program which a laptop may lack. Without the program the test is skipped and says how to get it;
 * where `CI` is `true` this throws, so that nothing is left out unseen.
 *
 * @example
 * test("a branch is created", requireComponent("git"), async () => { ... });
 * describe("git_log", requireComponent("git"), () => { ... });
 */
export function requireComponent(name: ComponentName): { skip: string | false } {
  const known = probed.get(name);
  if (known) return known;
  const { probe, needed_by, get } = components[name];
  const [program = name, ...args] = probe;
  const found = spawnSync(program, args, { cwd: root, stdio: "ignore" }).status === 0;
  const missing = `${name} isn't installed; it is needed by ${needed_by}. ${get}`;
  if (!found && process.env["CI"] === "true") throw new Error(`In CI nothing is skipped: ${missing}`);
  const answer: { skip: string | false } = { skip: found ? false : missing };
  probed.set(name, answer);
  return answer;
}
