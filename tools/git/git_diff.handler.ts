import { inputError, stateError } from "fettle";
import { confinedPath } from "./confinedPath.js";
import type { Args, Handler } from "./git_diff.types.js";
import { gitFailed, quoted, unexpectedOutput } from "./gitErrors.js";
import { trackedPath } from "./knownPath.js";
import { patchPage } from "./patchPage.js";
import { headCommit, resolveCommit } from "./refArgument.js";
import { trackedPlace } from "./trackedPlace.js";
import { type WorkTree, withWorkTree } from "./workTree.js";

interface Sides {
  /** For people and models: a hash, `index` or `work tree`. */
  readonly from: string;
  readonly to: string;
  readonly commits: readonly string[];
  /** For git. */
  readonly what: readonly string[];
}

function conflict(what: string, fix: string): never {
  throw inputError("git/conflicting-arguments", {
    what,
    why: "base and head name two commits; staged means what the next commit would hold; without head the later side is the work tree.",
    fix,
  });
}

async function mergeBase(tree: WorkTree, base: string, head: string, names: string): Promise<string> {
  const run = await tree.git(["merge-base", base, head], { accept: "any" });
  const hash = run.stdout.toString("utf8").trim();
  if (run.code === 0) return /^[0-9a-f]{40,64}$/.test(hash) ? hash : Promise.reject(unexpectedOutput("merge-base", hash));
  if (run.code !== 1) throw gitFailed("merge-base", run);
  throw stateError("git/no-merge-base", {
    what: `${names} have no commit in common, so there is no merge base to compare with.`,
    why: "The two histories were started apart from each other, or this is a shallow clone that doesn't reach back far enough.",
    fix: "Leave from_merge_base out to compare the two commits themselves.",
    details: { base, head },
  });
}

async function sidesOf(tree: WorkTree, { base, head, from_merge_base = false, staged = false }: Args): Promise<Sides> {
  if (staged && head !== undefined)
    conflict("staged and head can't be given together.", "Leave head out to see what is staged, or leave staged out to compare two commits.");
  if (from_merge_base && base === undefined)
    conflict("from_merge_base needs base.", "Send base as well, for example main: the answer is then what head changed since it left main.");
  if (from_merge_base && staged) conflict("from_merge_base and staged can't be given together.", "Leave one of them out.");
  if (head !== undefined && base === undefined)
    conflict(
      "head was given without base.",
      `Send base too, for example base "${quoted(head)}~1" for the last commit's changes; git_show does that for one commit.`,
    );

  if (base === undefined)
    return staged ? { from: "HEAD", to: "index", what: ["--cached"], commits: [] } : { from: "index", to: "work tree", what: [], commits: [] };
  const from = await resolveCommit(tree, base, "base");
  if (staged) return { from, to: "index", what: ["--cached", from], commits: [from] };
  if (head === undefined && !from_merge_base) return { from, to: "work tree", what: [from], commits: [from] };
  const to = await resolveCommit(tree, head ?? "HEAD", "head");
  const start = from_merge_base ? await mergeBase(tree, from, to, `${quoted(base)} and ${quoted(head ?? "HEAD")}`) : from;
  return { from: start, to, what: [start, to], commits: [start, to] };
}

/**
 * Files in conflict are compared with the work tree in a form of their own, for which git opens them wherever their folders lead. Where a
 * folder is a link now, such files are only named.
 */
async function conflictsLeftOut(tree: WorkTree, path: string): Promise<string[]> {
  const run = await tree.git(["ls-files", "-z", "--unmerged", "--", ...tree.spec(path)]);
  const inPlace = trackedPlace(tree);
  for (let at = 0; at < run.stdout.length; ) {
    const end = run.stdout.indexOf(0, at);
    if (end < 0) break;
    if (!(await inPlace(run.stdout.subarray(run.stdout.indexOf(9, at) + 1, end)))) return ["-0"];
    at = end + 1;
  }
  return run.cut ? ["-0"] : [];
}

export default ((args, ctx) =>
  withWorkTree(ctx, { readsFiles: true }, async (tree) => {
    await confinedPath(tree, args.path ?? ".", "path");
    const { from, to, what: sides, commits } = await sidesOf(tree, args);
    const path = await trackedPath(tree, args.path ?? ".", "path", commits.at(-1));
    const head = commits.length === 0 ? await headCommit(tree) : undefined;
    const what = to === "work tree" && from === "index" ? [...sides, ...(await conflictsLeftOut(tree, path))] : sides;
    const page = await patchPage(tree, {
      what,
      commits: [...commits, head],
      path,
      contextLines: args.context_lines ?? 3,
      limit: args.limit ?? 400,
      cursor: args.cursor,
    });
    return { from, to, ...page };
  })) satisfies Handler;
