import { inputError } from "fettle";
import { confinedPath } from "./confinedPath.js";
import type { Handler } from "./git_search.types.js";
import { gitFailed, quoted, unexpectedOutput, wordsOf } from "./gitErrors.js";
import { assertKnown, isInCommit, trackedPath } from "./knownPath.js";
import { linesReach } from "./linePage.js";
import { pageOf, pageStart, pastTheEnd } from "./pageCursor.js";
import { headCommit, resolveCommit } from "./refArgument.js";
import { shortLine } from "./shownText.js";
import { type InPlace, trackedPlace } from "./trackedPlace.js";
import { withWorkTree } from "./workTree.js";

interface Match {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

const MAX_TEXT = 300;

function checkPattern(pattern: string): void {
  if (pattern !== "" && !/[\0\n\r]/.test(pattern)) return;
  throw inputError("git/bad-pattern", {
    what: pattern === "" ? "pattern is empty." : "pattern holds a line break or a NUL character, and a match lies on one line.",
    why: "Files are searched line by line.",
    fix: "Send a part of one line as pattern.",
  });
}

interface Found {
  readonly matches: Match[];
  /** Lines were found that don't count, so there may be more to find. */
  readonly dropped: boolean;
}

/** Matches of `git grep -z -n --column`: `path NUL line NUL column NUL text LF`. With a commit, `HASH:` stands before the path. Those that aren't in place are dropped. */
async function parseMatches(bytes: Buffer, prefix: string, inPlace: InPlace): Promise<Found> {
  const matches: Match[] = [];
  let dropped = false;
  for (let at = 0; at < bytes.length; ) {
    const ends: number[] = [];
    for (let from = at; ends.length < 3; ) {
      const end = bytes.indexOf(0, from);
      if (end < 0) break;
      ends.push(end);
      from = end + 1;
    }
    const [pathEnd, lineEnd, columnEnd] = ends;
    // The last record may be cut in two.
    if (pathEnd === undefined || lineEnd === undefined || columnEnd === undefined) break;
    const lineBreak = bytes.indexOf(10, columnEnd);
    const path = bytes.toString("utf8", at, pathEnd);
    const line = Number(bytes.toString("latin1", pathEnd + 1, lineEnd));
    const column = Number(bytes.toString("latin1", lineEnd + 1, columnEnd));
    if (!Number.isInteger(line) || !Number.isInteger(column) || !path.startsWith(prefix)) throw unexpectedOutput("grep", path);
    if (lineBreak < 0) break;
    if (await inPlace(bytes.subarray(at + prefix.length, pathEnd)))
      matches.push({ path: path.slice(prefix.length), line, column, text: shortLine(bytes.toString("utf8", columnEnd + 1, lineBreak), MAX_TEXT) });
    else dropped = true;
    at = lineBreak + 1;
  }
  return { matches, dropped };
}

export default (({ pattern, regex = false, ignore_case = false, path = ".", ref, limit = 50, cursor }, ctx) =>
  withWorkTree(ctx, { readsFiles: true }, async (tree) => {
    checkPattern(pattern);
    const start = pageStart(cursor);
    await confinedPath(tree, path, "path");
    const commit = ref === undefined ? undefined : await resolveCommit(tree, ref, "ref");
    const inside = await trackedPath(tree, path, "path", commit);
    const grep = [
      "grep",
      "-z",
      "--line-number",
      "--column",
      "--full-name",
      "-I",
      "--no-color",
      "--no-textconv",
      "--no-recurse-submodules",
      regex ? "--extended-regexp" : "--fixed-strings",
      ...(ignore_case ? ["--ignore-case"] : []),
      "-e",
      pattern,
      ...(commit === undefined ? [] : [commit]),
      "--",
      ...tree.spec(inside),
    ];
    const run = await tree.git(grep, { accept: "any", enough: linesReach(start + limit) });
    if (!run.cut && run.code > 1) {
      // What git says of an expression begins so; anything else isn't about the pattern.
      if (!/^fatal: (-e option|command line), '/.test(run.stderr)) throw gitFailed("grep", run);
      throw inputError("git/bad-pattern", {
        what: `pattern is not a valid regular expression: ${wordsOf(run.stderr, 300)}`,
        why: "With regex true the pattern is a POSIX extended regular expression, where ( ) [ ] { } . * + ? | ^ $ and \\ have a meaning.",
        fix: [
          "To search for the text as it stands, leave regex out.",
          "Otherwise mend the expression: put a backslash before each character that is meant literally.",
        ],
      });
    }
    const prefix = commit === undefined ? "" : `${commit}:`;
    // The files of a commit are what they are; those of the work tree are opened by their paths.
    const inPlace = commit === undefined ? trackedPlace(tree) : async () => true;
    let found = await parseMatches(run.stdout, prefix, inPlace);
    // Pages count what is shown, so all has to be looked at where something isn't.
    if (run.cut && found.dropped) found = await parseMatches((await tree.git(grep, { accept: "any" })).stdout, prefix, inPlace);
    const { items, next_cursor } = pageOf(found.matches, start, limit, (match) => match.path.length + match.text.length);
    const hints: string[] = [];
    if (next_cursor !== undefined)
      hints.push(`Shown are matches ${start + 1} to ${start + items.length}. Send next_cursor as cursor for more, or narrow the search with path.`);
    if (items.length === 0 && start > 0 && found.matches.length > 0) hints.push(pastTheEnd(start, found.matches.length, "matches"));
    else if (items.length === 0) {
      await assertKnown(tree, inside, "path", [commit]);
      if (commit !== undefined && !(await isInCommit(tree, commit, inside))) hints.push(`${quoted(inside)} isn't in that commit.`);
      hints.push(
        commit === undefined && (await headCommit(tree)) === undefined
          ? "Nothing was found. Only files that git tracks are searched, and nothing was committed yet: git_status lists the others."
          : `Nothing was found. Only files that git tracks are searched${ignore_case ? "" : ", and case counts (ignore_case)"}.`,
      );
    }
    return {
      matches: items,
      truncated: next_cursor !== undefined,
      ...(hints.length > 0 && { hint: hints.join(" ") }),
      ...(next_cursor !== undefined && { next_cursor }),
    };
  })) satisfies Handler;
