import { type ChangedFile, changedFiles, DIFF_OPTIONS } from "./changedFiles.js";
import { assertKnown } from "./knownPath.js";
import { type LinePage, linePage, linesReach, pageHint } from "./linePage.js";
import { pageStart } from "./pageCursor.js";
import { decode } from "./shownText.js";
import type { WorkTree } from "./workTree.js";

/** A comparison as a tool answers it. */
export interface PatchPage {
  readonly files: readonly ChangedFile[];
  readonly files_total: number;
  readonly patch: string;
  readonly truncated: boolean;
  readonly hint?: string;
  readonly next_cursor?: string;
}

/** What is compared and how much of it is shown. */
export interface PatchAsk {
  /** The arguments of `git diff` that say what is compared: hashes and options of ours. */
  readonly what: readonly string[];
  /** Commits that are compared, to tell a path that has no changes from one that isn't there. */
  readonly commits: readonly (string | undefined)[];
  /** "." for everything. */
  readonly path: string;
  readonly contextLines: number;
  /** Lines of patch. 0 lists the files only. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Files listed at most; the counts go on. */
const MAX_FILES = 200;
const MAX_PATCH_BYTES = 32 * 1024 * 1024;

/** The file that the first line of a page belongs to, where the page begins in the middle of it. */
function continued(patch: string, page: LinePage): string | undefined {
  if (page.first === 1 || page.text.startsWith("diff --git ")) return undefined;
  const before = patch.split("\n", page.first - 1);
  const header = before.findLast((line) => line.startsWith("+++ ") || line.startsWith("diff --git "));
  return header?.replace(/^\+\+\+ (b\/)?|^diff --git /, "").trimEnd();
}

/** The files of a comparison, and a page of its patch. */
export async function patchPage(tree: WorkTree, ask: PatchAsk): Promise<PatchPage> {
  const start = pageStart(ask.cursor);
  const { files, cut } = await changedFiles(tree, ask.what, ask.path);
  const hints: string[] = [];
  if (cut) hints.push(`There are more files than could be read; files_total counts the first ${files.length}. Give a path to narrow it.`);
  else if (files.length > MAX_FILES) hints.push(`${MAX_FILES} of ${files.length} files are listed. Give a path to see the others.`);
  if (files.length === 0) await assertKnown(tree, ask.path, "path", ask.commits);
  const listed = { files: files.slice(0, MAX_FILES), files_total: files.length };
  if (ask.limit === 0) {
    return { ...listed, patch: "", truncated: hints.length > 0, ...(hints.length > 0 && { hint: hints.join(" ") }) };
  }

  const run = await tree.git(["diff", ...DIFF_OPTIONS, "--patch", `--unified=${ask.contextLines}`, ...ask.what, "--", ...tree.spec(ask.path)], {
    maxBytes: MAX_PATCH_BYTES,
    enough: linesReach(start + ask.limit),
  });
  const { text, lossy } = decode(run.stdout);
  const page = linePage(text, start, ask.limit, run.cut);
  const paging = pageHint(page, "patch", "give a path to narrow it");
  if (paging !== undefined) hints.push(paging);
  const file = continued(text, page);
  if (file !== undefined && page.text !== "") hints.push(`The first lines belong to ${file}.`);
  if (page.text === "" && run.cut) hints.push("The patch is too large to page this far. Give a path.");
  if (lossy) hints.push("Bytes that aren't UTF-8 are shown as U+FFFD.");
  return {
    ...listed,
    patch: page.text,
    truncated: page.next_cursor !== undefined || page.shortened > 0 || cut || files.length > MAX_FILES || (page.text === "" && run.cut),
    ...(hints.length > 0 && { hint: hints.join(" ") }),
    ...(page.next_cursor !== undefined && { next_cursor: page.next_cursor }),
  };
}
