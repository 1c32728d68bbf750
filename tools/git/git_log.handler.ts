import { inputError } from "fettle";
import { commitList } from "./commitList.js";
import { confinedPath } from "./confinedPath.js";
import type { Handler } from "./git_log.types.js";
import type { ToolFailure } from "./gitErrors.js";
import { hintIfMissing, trackedPath } from "./knownPath.js";
import { badCursor } from "./pageCursor.js";
import { isCommit, resolveCommit } from "./refArgument.js";
import { type WorkTree, withWorkTree } from "./workTree.js";

/** A cursor is `HASH.SKIP`: pages go on from the same commit, also when the branch has moved meanwhile. */
function parseCursor(cursor: string): { hash: string; skip: number } {
  const parts = /^([0-9a-f]{40}|[0-9a-f]{64})\.([0-9]{1,8})$/.exec(cursor);
  return parts?.[1] === undefined ? badCursor(cursor) : { hash: parts[1], skip: Number(parts[2]) };
}

/** The commit that a page was to begin at is gone, or the cursor is of another repository. */
function goneCursor(): ToolFailure {
  return inputError("git/bad-cursor", {
    what: "cursor can't be used: the commit that it goes on from doesn't exist in this repository, or doesn't any more.",
    why: "A cursor holds the hash of the commit that the first page began at. History may have been rewritten meanwhile, or the cursor is of another repository.",
    fix: "Leave cursor out to start again with the first page.",
  });
}

/** Why there are no commits to show, as far as that isn't plain. */
async function aboutNothing(tree: WorkTree, path: string, start: string, skip: number): Promise<string | undefined> {
  if (skip > 0) return `The list ends before commit ${skip + 1}; leave cursor out to start again.`;
  return hintIfMissing(tree, path, "path", start);
}

export default (({ ref = "HEAD", path = ".", author, message, since, until, limit = 20, cursor }, ctx) =>
  withWorkTree(ctx, {}, async (tree) => {
    const at = cursor === undefined ? undefined : parseCursor(cursor);
    await confinedPath(tree, path, "path");
    if (at && !(await isCommit(tree, at.hash))) throw goneCursor();
    const start = at?.hash ?? (await resolveCommit(tree, ref, "ref"));
    const skip = at?.skip ?? 0;
    const inside = await trackedPath(tree, path, "path", start);
    const found = await commitList(tree, { start, path: inside, author, message, since, until, skip, limit });
    const commits = found.slice(0, limit).map(({ seconds: _, ...commit }) => commit);
    const hint = commits.length > 0 ? undefined : await aboutNothing(tree, inside, start, skip);
    return { commits, ...(hint !== undefined && { hint }), ...(found.length > limit && { next_cursor: `${start}.${skip + limit}` }) };
  })) satisfies Handler;
