import { inputError, resourceError, stateError } from "fettle";
import { gitFailed, quoted, someOf, unexpectedOutput } from "./gitErrors.js";
import { nearestNames } from "./nearestNames.js";
import type { WorkTree } from "./workTree.js";

const MAX_REF = 250;

/** A full hash, of SHA-1 or SHA-256 repositories. */
const isHash = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

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
  {
    test: /^\^|\^[@!]|\^-/,
    says: "is a range or a set of commits, and not one commit",
    fix: "Send one commit, for example HEAD or HEAD^1. To compare two, call git_diff with base and head.",
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

/** A name that comes from what git knows of a branch, such as `@{upstream}`, and leads nowhere. */
const NOTHING_THERE: readonly { readonly test: RegExp; says(found: readonly string[]): string; readonly why: string; readonly fix: string }[] = [
  {
    test: /no upstream configured for branch '(.*)'/,
    says: ([branch]) => `The branch ${quoted(branch ?? "")} has no upstream branch`,
    why: "An upstream is the branch that another one follows, mostly one of a remote repository. None was set for this branch.",
    fix: "Send the name of the branch that you mean, for example origin/main; git_status shows the upstream where there is one.",
  },
  {
    test: /(HEAD) does not point to a branch/,
    says: () => "HEAD is detached, and only a branch can have an upstream branch",
    why: "No branch is checked out just now.",
    fix: "Send the name of the branch that you mean, for example origin/main.",
  },
  {
    test: /no such branch: '(.*)'/,
    says: ([branch]) => `There is no branch called ${quoted(branch ?? "")}`,
    why: "The name is misspelt (case counts), or the branch was never fetched.",
    fix: "Send the name of a branch that exists.",
  },
  {
    test: /upstream branch '(.*)' not stored as a remote-tracking branch|no push (destination|refspecs)|push refspecs|cannot resolve 'simple' push|has no remote/,
    says: () => "The upstream or push branch is known by name, but it was never fetched here",
    why: "The remote repository, or its branch, isn't among those that are fetched.",
    fix: "Send the name of a branch or tag that exists.",
  },
  {
    test: /log for '(.*)' only has (\d+) entries|log for '(.*)' is empty/,
    says: ([name, count]) => `The record of where ${quoted(name ?? "this name")} has pointed ${count === undefined ? "is empty" : `has only ${count} entries`}`,
    why: "@{N} counts back in that record (the reflog), which git keeps for a limited time and for each clone alone.",
    fix: "Use ~N to go back N commits, for example HEAD~1, or find the commit with git_log.",
  },
];

/** For `main@{upstream}` and its like. */
function nothingThere(ref: string, argument: string, stderr: string): void {
  for (const { test, says, why, fix } of NOTHING_THERE) {
    const found = test.exec(stderr);
    if (!found) continue;
    throw resourceError("git/no-such-ref", {
      what: `${says(found.slice(1))}, so ${quoted(ref)} names no commit.`,
      why,
      fix: [fix, `Leave ${argument} out to use its default.`],
      details: { argument, nearest: [] },
    });
  }
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
  if (/^@\{-\d+\}/.test(ref)) {
    throw resourceError("git/no-such-ref", {
      what: `${quoted(ref)} names no commit: so many other branches weren't checked out here before.`,
      why: "@{-N} is the branch that was checked out N switches ago.",
      fix: `Send the name of a branch as ${argument}, for example ${someOf(names)}`,
      details: { argument, nearest: names.slice(0, 5) },
    });
  }
  if (bare.includes("\ufffd") && names.includes(bare)) {
    throw resourceError("git/no-such-ref", {
      what: `${quoted(ref)} can't be found by its name, because the name isn't UTF-8: the mark \ufffd stands for bytes that can't be sent.`,
      why: "Arguments are UTF-8 text, and the real name holds other bytes.",
      fix: `Send the commit's hash as ${argument}; git_log lists hashes. Or have the branch or tag renamed with git itself.`,
      details: { argument, nearest: [] },
    });
  }
  const sendable = names.filter((name) => !name.includes("\ufffd"));
  const nearest = nearestNames(bare, sendable);
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
          : `Send one of the names that exist as ${argument}, for example ${someOf(sendable)}`,
      `Leave ${argument} out to use its default.`,
    ],
    details: { argument, nearest: nearest.length > 0 ? nearest : sendable.slice(0, 5) },
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
    if (!isHash(hash)) throw unexpectedOutput("rev-parse", hash);
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
  nothingThere(ref, argument, run.stderr);
  if (!/Needed a single revision|unknown revision|not a valid object|bad revision|bad object/i.test(run.stderr)) throw gitFailed("rev-parse", run);
  return noSuchRef(tree, ref, argument);
}

/** Whether a full hash is that of a commit of the repository. */
export async function isCommit(tree: WorkTree, hash: string): Promise<boolean> {
  return (await tree.git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${hash}^{commit}`], { accept: [0, 1, 128] })).code === 0;
}

/** As {@link resolveCommit} for HEAD, but undefined where the branch has no commits yet. */
export async function headCommit(tree: WorkTree): Promise<string | undefined> {
  const run = await tree.git(["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"], { accept: [0, 1, 128] });
  const hash = run.stdout.toString("utf8").trim();
  return run.code === 0 && isHash(hash) ? hash : undefined;
}
