import { rename } from "node:fs/promises";
import { join } from "node:path";
import { type ScratchRepository, type Signature, scratchRepository } from "./scratchRepository.js";

/** What `examples_setup` gives: the environment that the handlers see, and how to clean up. */
export interface GitFixture {
  readonly env: Readonly<Record<string, string>>;
  readonly dispose: () => Promise<void>;
}

const ada = (date: string): Signature => ({ name: "Ada Example", email: "ada@example.com", date: `${date}T10:00:00+00:00` });
const ben = (date: string): Signature => ({ name: "Ben Example", email: "ben@example.com", date: `${date}T15:30:00+00:00` });

const README = "# Courier\n\nA small HTTP client.\n";
const RETRY = "export function retry(status: number): boolean {\n  return status >= 500;\n}\n";
const CLIENT =
  'import { retry } from "./retry.js";\n\nexport async function send(url: string): Promise<Response> {\n  const answer = await fetch(url);\n  return retry(answer.status) ? fetch(url) : answer;\n}\n';

/**
 * The history that the examples are about. Names and dates are pinned, so hashes are the same everywhere:
 *
 * main: First version, Retry on 429 (tag v1.0.0), Rename client to httpClient, Merge branch 'feature/timeouts', Document the retry rules.
 * In the work tree README.md is changed, src/limits.ts is staged, notes/todo.md is untracked, and dist/ is ignored.
 */
async function history(repository: ScratchRepository): Promise<void> {
  const { commit, git, write, root } = repository;
  await commit("First version", ada("2026-01-05"), {
    ".gitignore": "dist/\n",
    "README.md": README,
    "src/retry.ts": RETRY,
    "src/client.ts": CLIENT,
    "assets/logo.bin": Uint8Array.from([0x89, 0x4c, 0x4f, 0x47, 0x4f, 0, 1, 2, 3, 0xff]),
  });
  await commit("Retry on 429\n\nServers say 429 when they want us to slow down, so it is worth a second try.", ben("2026-01-12"), {
    "src/retry.ts": RETRY.replace("status >= 500", "status === 429 || status >= 500"),
  });
  await git("tag", "v1.0.0");

  await git("switch", "--quiet", "--create", "feature/timeouts");
  await commit("Add timeouts", ben("2026-01-15"), {
    "src/timeouts.ts": "/** Milliseconds before a request is given up. */\nexport const TIMEOUT_MS = 10_000;\n",
  });

  await git("switch", "--quiet", "main");
  await rename(join(root, "src/client.ts"), join(root, "src/httpClient.ts"));
  await commit("Rename client to httpClient", ada("2026-01-20"), { "src/httpClient.ts": CLIENT.replace("send(", "request(") });
  await git("merge", "--quiet", "--no-ff", "--no-commit", "feature/timeouts");
  await commit("Merge branch 'feature/timeouts'", ada("2026-01-26"));
  await commit("Document the retry rules", ada("2026-02-02"), {
    "README.md": `${README}\n## Retries\n\nA request is sent again after 429 and after 5xx.\n`,
    "docs/release notes.md": "# Release notes\n\n- 1.0.0: retry on 429\n",
  });

  await write({
    "README.md": `${README}\n## Retries\n\nA request is sent again once after 429 and after 5xx.\n`,
    "src/limits.ts": "export const MAX_RETRIES = 1;\n",
    "notes/todo.md": "- cancel requests\n",
    "dist/out.js": "// built\n",
  });
  await git("add", "src/limits.ts");
}

/** Makes the scratch repository of the examples. */
export default async function setUp(): Promise<GitFixture> {
  const repository = await scratchRepository();
  await history(repository);
  return { env: repository.env, dispose: repository.dispose };
}
