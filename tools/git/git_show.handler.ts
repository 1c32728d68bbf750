import { inputError } from "fettle";
import { emptyTree } from "./changedFiles.js";
import { confinedPath } from "./confinedPath.js";
import { fileAtCommit } from "./fileAtCommit.js";
import type { Handler, Output } from "./git_show.types.js";
import { quoted, unexpectedOutput } from "./gitErrors.js";
import { trackedPath } from "./knownPath.js";
import { linePage, pageHint } from "./linePage.js";
import { pageStart } from "./pageCursor.js";
import { patchPage } from "./patchPage.js";
import { resolveCommit } from "./refArgument.js";
import { decode, shortLine } from "./shownText.js";
import { type WorkTree, withWorkTree } from "./workTree.js";

const FIELDS = ["%H", "%P", "%aN", "%aE", "%aI", "%cN", "%cI", "%s", "%b"];
const MAX_BODY = 5_000;

async function commitFacts(tree: WorkTree, hash: string): Promise<Output["commit"]> {
  const run = await tree.git([
    "log",
    "--max-count=1",
    "--no-patch",
    "--no-show-signature",
    "--no-color",
    "--encoding=UTF-8",
    `--format=format:${FIELDS.join("%x00")}`,
    "--end-of-options",
    hash,
    "--",
  ]);
  const fields = run.stdout.toString("utf8").split("\0");
  if (fields.length !== FIELDS.length || fields[0] !== hash) throw unexpectedOutput("log", fields.join("\0"));
  const [, parents = "", author = "", author_email = "", author_date = "", committer = "", commit_date = "", subject = "", body = ""] = fields;
  return {
    hash,
    parents: parents.split(" ").filter(Boolean),
    author: shortLine(author, 200),
    author_email: shortLine(author_email, 200),
    author_date,
    committer: shortLine(committer, 200),
    commit_date,
    subject: shortLine(subject, 300),
    body: shortLine(body.trimEnd(), MAX_BODY),
  };
}

async function fileView(tree: WorkTree, commit: Output["commit"], path: string, limit: number, cursor: string | undefined): Promise<Output> {
  const start = pageStart(cursor);
  const { bytes, size, binary, cut } = await fileAtCommit(tree, commit.hash, path);
  const { text, lossy } = decode(bytes);
  const page = linePage(text, start, limit, cut);
  const hints = [pageHint(page, "file", "find a place in it with git_search")];
  if (binary) hints.push(`The file is binary (${size} bytes); its content isn't shown.`);
  if (limit === 0) hints.push("limit is 0, so no content is shown.");
  if (lossy) hints.push("Bytes that aren't UTF-8 are shown as U+FFFD.");
  const hint = hints.filter((said) => said !== undefined).join(" ");
  return {
    commit,
    file: { path, size, binary, content: page.text },
    truncated: binary || (limit === 0 && size > 0) || page.next_cursor !== undefined || page.shortened > 0,
    ...(hint !== "" && { hint }),
    ...(page.next_cursor !== undefined && { next_cursor: page.next_cursor }),
  };
}

export default (({ ref = "HEAD", view = "commit", path, limit = 400, cursor }, ctx) =>
  withWorkTree(ctx, {}, async (tree) => {
    if (view === "file" && path === undefined) {
      throw inputError("git/path-missing", {
        what: "view is file, but no path says which file.",
        why: "With view file this tool shows the content of one file at the commit.",
        fix: "Send path as well, for example src/main.ts, or leave view out to see what the commit changed.",
      });
    }
    await confinedPath(tree, path ?? ".", "path");
    const commit = await commitFacts(tree, await resolveCommit(tree, ref, "ref"));
    const inside = await trackedPath(tree, path ?? ".", "path", commit.hash);
    if (view === "file") return fileView(tree, commit, inside, limit, cursor);
    // A merge is compared with its first parent: what it brought to the branch that it was made on.
    const before = commit.parents[0] ?? emptyTree(commit.hash);
    const commits = [commit.hash, commit.parents[0]];
    const page = await patchPage(tree, { what: [before, commit.hash], commits, path: inside, contextLines: 3, limit, cursor });
    const hints = [page.hint, ...(page.files_total === 0 && inside !== "." ? [`This commit doesn't change ${quoted(inside)}.`] : [])].filter(
      (said) => said !== undefined,
    );
    return { commit, ...page, ...(hints.length > 0 && { hint: hints.join(" ") }) };
  })) satisfies Handler;
