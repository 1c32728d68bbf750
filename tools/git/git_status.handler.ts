import { confinedPath } from "./confinedPath.js";
import type { Handler } from "./git_status.types.js";
import { assertKnown } from "./knownPath.js";
import { pageOf, pageStart, pastTheEnd } from "./pageCursor.js";
import { pendingOperation } from "./pendingOperation.js";
import { treeStatus } from "./treeStatus.js";
import { withWorkTree } from "./workTree.js";

export default (({ path = ".", include_untracked = true, limit = 100, cursor }, ctx) =>
  withWorkTree(ctx, { readsFiles: true }, async (tree) => {
    const start = pageStart(cursor);
    const inside = (await confinedPath(tree, path, "path")).tracked;
    const { branch, head, upstream, ahead, behind, files, cut } = await treeStatus(tree, { path: inside, untracked: include_untracked });
    if (files.length === 0) await assertKnown(tree, inside, "path", [head]);
    const operation = await pendingOperation(tree.gitDir);
    const { items, next_cursor } = pageOf(files, start, limit, (file) => file.path.length + (file.old_path?.length ?? 0));
    const hints: string[] = [];
    if (head === undefined) hints.push("There are no commits yet.");
    if (branch === undefined) hints.push("HEAD is detached: new commits would belong to no branch. git_create_branch makes one.");
    if (next_cursor !== undefined)
      hints.push(`Shown are files ${start + 1} to ${start + items.length} of ${files.length}. Send next_cursor as cursor for more, or narrow with path.`);
    if (items.length === 0 && start > 0) hints.push(pastTheEnd(start, files.length, "files"));
    if (cut)
      hints.push(`There are more files than could be read; files_total counts the first ${files.length}. Set include_untracked to false or give a path.`);
    return {
      ...(branch !== undefined && { branch }),
      detached: branch === undefined,
      ...(head !== undefined && { head }),
      ...(upstream !== undefined && { upstream }),
      ...(ahead !== undefined && { ahead }),
      ...(behind !== undefined && { behind }),
      ...(operation !== undefined && { operation }),
      clean: files.length === 0,
      files: items,
      files_total: files.length,
      truncated: next_cursor !== undefined || cut,
      ...(hints.length > 0 && { hint: hints.join(" ") }),
      ...(next_cursor !== undefined && { next_cursor }),
    };
  })) satisfies Handler;
