import type { Handler } from "fettle";
import { commitList } from "./commitList.js";
import { confinedPath } from "./confinedPath.js";
import { badCursor } from "./pageCursor.js";
import { resolveCommit } from "./refArgument.js";
import { withWorkTree } from "./workTree.js";

interface Args {
  readonly ref?: string;
  readonly path?: string;
  readonly author?: string;
  readonly message?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

interface Output {
  readonly commits: readonly {
    readonly hash: string;
    readonly parents: readonly string[];
    readonly author: string;
    readonly author_email: string;
    readonly date: string;
    readonly subject: string;
  }[];
  readonly next_cursor?: string;
}

/** A cursor is `HASH.SKIP`: pages go on from the same commit, also when the branch has moved meanwhile. */
function parseCursor(cursor: string): { hash: string; skip: number } {
  const parts = /^([0-9a-f]{40}|[0-9a-f]{64})\.([0-9]{1,8})$/.exec(cursor);
  return parts?.[1] === undefined ? badCursor(cursor) : { hash: parts[1], skip: Number(parts[2]) };
}

export default (({ ref = "HEAD", path = ".", author, message, since, until, limit = 20, cursor }, ctx) =>
  withWorkTree(ctx, {}, async (tree) => {
    const at = cursor === undefined ? undefined : parseCursor(cursor);
    const start = await resolveCommit(tree, at?.hash ?? ref, at ? "cursor" : "ref");
    const skip = at?.skip ?? 0;
    const found = await commitList(tree, { start, path: await confinedPath(tree, path, "path"), author, message, since, until, skip, limit });
    const commits = found.slice(0, limit).map(({ seconds: _, ...commit }) => commit);
    return { commits, ...(found.length > limit && { next_cursor: `${start}.${skip + limit}` }) };
  })) satisfies Handler<Args, Output>;
