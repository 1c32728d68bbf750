import { inputError } from "fettle";
import { unexpectedOutput } from "./gitErrors.js";
import { shortLine } from "./shownText.js";
import type { WorkTree } from "./workTree.js";

/** A commit as it is listed. */
export interface ListedCommit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly author_email: string;
  /** Commit date, ISO 8601. */
  readonly date: string;
  /** The same in seconds since 1970. */
  readonly seconds: number;
  readonly subject: string;
}

/** Which commits. */
export interface CommitFilter {
  /** Hash of the commit to start from. */
  readonly start: string;
  /** "." for all. */
  readonly path: string;
  readonly author?: string | undefined;
  readonly message?: string | undefined;
  /** Days, YYYY-MM-DD, in UTC; both are included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

const FIELDS = ["%H", "%P", "%aN", "%aE", "%cI", "%ct", "%s"];
const MAX_SUBJECT = 300;

/** Seconds since 1970 of the beginning of a day, not before 1970: git has no earlier dates. */
function startOfDay(day: string, argument: string): number {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(ms)) {
    throw inputError("git/bad-date", {
      what: `${argument} must be a day of the calendar as YYYY-MM-DD, got "${shortLine(day, 40)}".`,
      why: "Words such as yesterday and times of day aren't taken.",
      fix: `Send ${argument} in the form 2026-12-31, or leave it out.`,
      details: { argument },
    });
  }
  return Math.max(0, ms / 1000);
}

function checkText(text: string | undefined, argument: string): void {
  if (text === undefined || !/[\0\n\r]/.test(text)) return;
  throw inputError("git/bad-text", {
    what: `${argument} must be one line of text, and it holds a line break or a NUL character.`,
    why: "Commits are searched line by line.",
    fix: `Send a part of one line as ${argument}.`,
    details: { argument },
  });
}

/**
 * Commits, newest first, one more than `limit` where there are more.
 *
 * @throws input_error `git/bad-date`, `git/empty-span`, `git/bad-text`
 */
export async function commitList(tree: WorkTree, filter: CommitFilter): Promise<ListedCommit[]> {
  checkText(filter.author, "author");
  checkText(filter.message, "message");
  const since = filter.since === undefined ? undefined : startOfDay(filter.since, "since");
  const until = filter.until === undefined ? undefined : startOfDay(filter.until, "until") + 86_399;
  if (since !== undefined && until !== undefined && since > until) {
    throw inputError("git/empty-span", {
      what: `No day lies between since (${filter.since}) and until (${filter.until}): since is the later one.`,
      why: "since is the first day and until the last; both are included.",
      fix: "Swap since and until, or leave one out.",
      details: { since: filter.since, until: filter.until },
    });
  }
  const run = await tree.git([
    "log",
    "-z",
    "--no-show-signature",
    "--no-color",
    "--no-patch",
    "--encoding=UTF-8",
    // Fixed text in place of patterns: nothing to escape, nothing that takes for ever.
    "--fixed-strings",
    "--regexp-ignore-case",
    `--max-count=${filter.limit + 1}`,
    `--skip=${filter.skip}`,
    `--format=tformat:${FIELDS.join("%x00")}`,
    ...(since === undefined ? [] : [`--since=@${since} +0000`]),
    ...(until === undefined ? [] : [`--until=@${until} +0000`]),
    ...(filter.author === undefined ? [] : [`--author=${filter.author}`]),
    ...(filter.message === undefined ? [] : [`--grep=${filter.message}`]),
    "--end-of-options",
    filter.start,
    "--",
    ...(filter.path === "." ? [] : tree.spec(filter.path)),
  ]);
  const fields = run.stdout.toString("utf8").split("\0");
  fields.pop();
  if (fields.length % FIELDS.length !== 0 && !run.cut) throw unexpectedOutput("log", fields.join("\0"));
  const commits: ListedCommit[] = [];
  for (let i = 0; i + FIELDS.length <= fields.length; i += FIELDS.length) {
    const [hash = "", parents = "", author = "", author_email = "", date = "", seconds = "", subject = ""] = fields.slice(i, i + FIELDS.length);
    if (!/^[0-9a-f]{40,64}$/.test(hash)) throw unexpectedOutput("log", hash);
    commits.push({
      hash,
      parents: parents.split(" ").filter(Boolean),
      author: shortLine(author, 200),
      author_email: shortLine(author_email, 200),
      date,
      seconds: Number(seconds),
      subject: shortLine(subject, MAX_SUBJECT),
    });
  }
  return commits;
}
