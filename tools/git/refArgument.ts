import { inputError, resourceError, stateError } from "fettle";
import { gitFailed, quoted, someOf, unexpectedOutput } from "./gitErrors.js";
import { nearestNames } from "./nearestNames.js";
import type { WorkTree } from "./workTree.js";

const MAX_REF = 250;

interface Forbidden {
  readonly test: RegExp;
  readonly says: string;
  readonly fix: string;
}

const FORBIDDEN: readonly Forbidden[] = [
  {
    test: /^-/,
    says: "begins with a hyphen, so git would take it for an option",
    fix: "Send the name of a branch or tag, or a commit hash. Options of git can't be passed.",
  },
  { test: /\.\./, says: "is a range", fix: "Send one commit. To compare two, call git_diff with base and head." },
  { test: /:/, says: "holds a colon", fix: "Send only the branch, tag or commit here, and the file in path." },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses these in names
  { test: /[\x00-\x20\x7f]/, says: "holds a space, a line break or a control character", fix: "Send the name without it." },
  {
    test: /[?*[\\]|\^\{\//,
    says: "holds one of ? * [ \\ or a search ^{/...}",
    fix: "Send one exact name. Patterns aren't supported; git_log finds commits by message.",
  },
];

/**
 * Refuses a ref that git would read as an option, a range, a path or a search.
 *
 * @throws input_error `git/bad-ref`
 */
function checkRef(ref: string, argument: string): void {
  const bad = FORBIDDEN.find((rule) => rule.test.test(ref));
  const problem = ref === "" ? "is empty" : ref.length > MAX_REF ? `has ${ref.length} characters, more than ${MAX_REF}` : bad?.says;
  if (problem === undefined) return;
  throw inputError("git/bad-ref", {
    what: `${argument} can't be used: "${quoted(ref)}" ${problem}.`,
    why: `${argument} names one commit: a branch, a tag, a hash, HEAD, or one of these followed by ~N or ^N.`,
    fix: bad?.fix ?? `Leave ${argument} out for its default, or send a name such as main, v1.0 or HEAD~1.`,
    details: { argument },
  });
}

/** Short names of branches and tags, at most 2,000. */
async function refNames(tree: WorkTree): Promise<string[]> {
  const run = await tree.git(["for-each-ref", "--count=2000", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"]);
  return run.stdout.toString("utf8").split("\n").filter(Boolean);
}

async function noSuchRef(tree: WorkTree, ref: string, argument: string): Promise<never> {
  const names = await refNames(tree);
  const bare = ref.replace(/[~^@].*$/s, "");
  if (ref === "HEAD" || names.length === 0) {
    throw stateError("git/no-commits", {
      what: "This repository has no commits yet, so there is nothing to read.",
      why: `HEAD points to a branch without commits${names.length > 0 ? `; other branches have some: ${someOf(names)}` : ""}.`,
      fix:
        names.length > 0
          ? `Send one of these as ${argument}: ${someOf(names)}`
          : "Make a first commit with git_commit. git_status shows the files that are there.",
      details: { refs: names.slice(0, 5) },
      alternativeTools: ["git_status", "git_commit"],
    });
  }
  const nearest = nearestNames(bare, names);
  const base = names.includes(bare) || bare === "HEAD";
  throw resourceError("git/no-such-ref", {
    what:
      base && bare !== ref
        ? `There is no commit ${quoted(ref)}: ${bare} exists, but what follows it leads past the first commit or nowhere.`
        : `There is no branch, tag or commit called ${quoted(ref)}.`,
    why:
      base && bare !== ref
        ? "The number of steps is larger than the history."
        : "The name is misspelt (case counts), the branch was never fetched, or the hash is of another repository.",
    fix: [
      base && bare !== ref
        ? `Send ${bare} with a smaller number, or look at the history with git_log.`
        : nearest.length > 0
          ? `Send one of these as ${argument}: ${nearest.join(", ")}`
          : `Send one of the names that exist as ${argument}, for example ${someOf(names)}`,
      `Leave ${argument} out to use its default.`,
    ],
    details: { argument, nearest: nearest.length > 0 ? nearest : names.slice(0, 5) },
  });
}

/**
 * The full hash of the commit that a ref names. The ref is given to git this once, behind `--end-of-options`; afterwards only the hash is used.
 *
 * @throws `git/bad-ref`, `git/no-such-ref`, `git/ambiguous-ref`, `git/no-commits`
 */
export async function resolveCommit(tree: WorkTree, ref: string, argument: string): Promise<string> {
  checkRef(ref, argument);
  const run = await tree.git(["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`], { accept: "any" });
  const hash = run.stdout.toString("utf8").trim();
  if (run.code === 0) {
    if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(hash)) throw unexpectedOutput("rev-parse", hash);
    return hash;
  }
  if (run.stderr.includes("is ambiguous") && run.stderr.includes("short object")) {
    const candidates = [...run.stderr.matchAll(/^hint: {3}([0-9a-f]+) commit (.*)$/gm)].map(([, short, about]) => ({ hash: short ?? "", about: about ?? "" }));
    throw resourceError("git/ambiguous-ref", {
      what: `The short hash ${quoted(ref)} fits more than one object.`,
      why: "Too few digits were given to name one commit.",
      fix:
        candidates.length > 0
          ? `Send more digits. Commits that begin so: ${someOf(candidates.map((c) => `${c.hash} (${quoted(c.about)})`))}`
          : "Send more digits of the hash; git_log lists full hashes.",
      details: { argument, candidates: candidates.slice(0, 10) },
    });
  }
  const other = /expected commit type, but the object dereferences to (\w+) type/.exec(run.stderr);
  if (other) {
    throw resourceError("git/no-such-ref", {
      what: `${quoted(ref)} exists, but it is a ${other[1]} and not a commit.`,
      why: "Tags and hashes can also name files (blobs) and folders (trees).",
      fix: `Send a commit as ${argument}: a branch, a tag of a commit, or a hash that git_log lists.`,
      details: { argument, nearest: [] },
    });
  }
  if (!/Needed a single revision|unknown revision|not a valid object|bad revision|bad object/i.test(run.stderr)) throw gitFailed("rev-parse", run);
  return noSuchRef(tree, ref, argument);
}

/** As {@link resolveCommit} for HEAD, but undefined where the branch has no commits yet. */
export async function headCommit(tree: WorkTree): Promise<string | undefined> {
  const run = await tree.git(["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"], { accept: [0, 1, 128] });
  const hash = run.stdout.toString("utf8").trim();
  return run.code === 0 && /^[0-9a-f]{40,64}$/.test(hash) ? hash : undefined;
}
