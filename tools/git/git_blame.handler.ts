import { inputError, resourceError } from "fettle";
import { withoutConfiguration } from "./bareEnvironment.js";
import { type BlameHunk, blameHunks } from "./blameHunks.js";
import { confinedPath } from "./confinedPath.js";
import { fileAtCommit } from "./fileAtCommit.js";
import type { Handler } from "./git_blame.types.js";
import { quoted } from "./gitErrors.js";
import { trackedPath } from "./knownPath.js";
import { badCursor, pageStart } from "./pageCursor.js";
import { resolveCommit } from "./refArgument.js";
import { decode, linesOf, shortLine } from "./shownText.js";
import { type WorkTree, withWorkTree } from "./workTree.js";

const MAX_LINE = 300;
/** Characters of one page, as near as it can be told before git is asked. */
const MAX_PAGE = 48_000;

function badRange(what: string, total: number | undefined): never {
  throw inputError("git/bad-line-range", {
    what,
    why: "start_line and end_line count from 1, and both are included.",
    fix: total === undefined ? "Swap start_line and end_line, or leave one out." : `Send lines between 1 and ${total}, or leave both out for the whole file.`,
    details: total === undefined ? {} : { lines_total: total },
  });
}

export default (({ path, ref = "HEAD", start_line = 1, end_line, ignore_whitespace = false, limit = 200, cursor }, ctx) =>
  withWorkTree(ctx, {}, async (tree) => {
    if (end_line !== undefined && end_line < start_line) badRange(`end_line (${end_line}) is before start_line (${start_line}).`, undefined);
    const shown = pageStart(cursor);
    await confinedPath(tree, path, "path");
    const commit = await resolveCommit(tree, ref, "ref");
    const inside = await trackedPath(tree, path, "path", commit);
    const file = await fileAtCommit(tree, commit, inside);
    if (file.binary) {
      throw resourceError("git/binary-file", {
        what: `${quoted(inside)} is a binary file (${file.size} bytes), so it has no lines to explain.`,
        why: "Blame works on lines of text.",
        fix: "Call git_log with this path to see which commits changed the file.",
        alternativeTools: ["git_log"],
      });
    }
    const { text, lossy } = decode(file.bytes);
    const lines = linesOf(text);
    const total = lines.length;
    if (total > 0 && start_line > total)
      badRange(`start_line is ${start_line}, but ${quoted(inside)} has ${total} ${total === 1 ? "line" : "lines"} at this commit.`, total);
    const last = Math.min(end_line ?? total, total);
    const first = cursor === undefined ? start_line : shown + 1;
    if (cursor !== undefined && (first < start_line || first > last)) badCursor(cursor);
    let to = Math.min(first, last);
    for (let size = 0; to < Math.min(first + limit - 1, last) && size < MAX_PAGE; to++) size += Math.min(lines[to]?.length ?? 0, MAX_LINE);
    const answer = { path: inside, commit, lines_total: total };
    if (total === 0) return { ...answer, hunks: [], truncated: false, hint: "The file is empty." };

    const options = ["--porcelain", "--no-textconv", "--encoding=UTF-8", ...(ignore_whitespace ? ["-w"] : []), `-L${first},${to}`];
    const blame = (of: WorkTree) => of.git(["blame", ...options, commit, "--", inside]);
    // Whether such a list is passed over must not depend on the version of git, and one that isn't there or is none must not end the call.
    const lists = await tree.git(["config", "-z", "--show-scope", "--get-all", "blame.ignoreRevsFile"], { accept: [0, 1] });
    const ignoring = /(^|\0)(system|global|local|worktree)\0/.test(lists.stdout.toString("utf8"));
    const run = await (ignoring ? withoutConfiguration(tree, commit.length, blame) : blame(tree));
    const long = (hunk: BlameHunk) => hunk.lines.some((line) => line.length > MAX_LINE);
    const found = blameHunks(decode(run.stdout).text, inside);
    const hunks = found.map((hunk) => ({
      ...hunk,
      author: shortLine(hunk.author, 200),
      subject: shortLine(hunk.subject, MAX_LINE),
      lines: hunk.lines.map((line) => shortLine(line, MAX_LINE)),
    }));
    const hints: string[] = [];
    if (to < last)
      hints.push(
        `Shown are lines ${first} to ${to}; ${last - to} more were asked for. Send next_cursor as cursor to get them, or narrow start_line and end_line.`,
      );
    if (found.some(long)) hints.push(`Lines longer than ${MAX_LINE} characters were cut; git_show with view file has them whole.`);
    if (lossy) hints.push("Bytes that aren't UTF-8 are shown as U+FFFD.");
    return {
      ...answer,
      hunks,
      truncated: to < last || found.some(long),
      ...(hints.length > 0 && { hint: hints.join(" ") }),
      ...(to < last && { next_cursor: String(to) }),
    };
  })) satisfies Handler;
