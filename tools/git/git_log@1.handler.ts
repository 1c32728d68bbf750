import { commitList } from "./commitList.js";
import { confinedPath } from "./confinedPath.js";
import type { Handler } from "./git_log@1.types.js";
import { trackedPath } from "./knownPath.js";
import { resolveCommit } from "./refArgument.js";
import { withWorkTree } from "./workTree.js";

export default (({ branch = "HEAD", file = ".", since, max_count = 20, skip = 0 }, ctx) =>
  withWorkTree(ctx, {}, async (tree) => {
    await confinedPath(tree, file, "file");
    const start = await resolveCommit(tree, branch, "branch");
    const found = await commitList(tree, { start, path: await trackedPath(tree, file, "file", start), since, skip, limit: max_count });
    const entries = found.slice(0, max_count).map((commit) => ({
      sha: commit.hash,
      author: { name: commit.author, email: commit.author_email },
      timestamp: commit.seconds,
      message: commit.subject,
    }));
    return { entries, has_more: found.length > max_count };
  })) satisfies Handler;
