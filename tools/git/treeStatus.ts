import { unexpectedOutput } from "./gitErrors.js";
import type { WorkTree } from "./workTree.js";

/** What happened to a file on one side: between HEAD and index, or between index and work tree. */
type FileState = "unchanged" | "modified" | "type_changed" | "added" | "deleted" | "renamed" | "copied" | "conflict";

/** A file that isn't as the last commit has it. */
export interface StatusFile {
  readonly path: string;
  /** HEAD against index: what the next commit would hold. */
  readonly staged: FileState;
  /** Index against work tree. */
  readonly unstaged: FileState | "untracked";
  readonly old_path?: string;
  readonly submodule?: true;
}

/** A work tree's state. */
export interface TreeStatus {
  /** Undefined while HEAD is detached. */
  readonly branch: string | undefined;
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  readonly upstream: string | undefined;
  /** Undefined where there is no upstream, or its branch is gone. */
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly files: readonly StatusFile[];
  /** There are more files than could be read. */
  readonly cut: boolean;
}

const STATES: Readonly<Record<string, FileState>> = {
  ".": "unchanged",
  M: "modified",
  T: "type_changed",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  U: "conflict",
};

/** Fields before the path, by the record's first letter (git-status(1), porcelain format version 2). */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10 };

function parseFile(record: string, oldPath: string | undefined): StatusFile {
  const kind = record[0] ?? "";
  if (kind === "?") return { path: record.slice(2), staged: "unchanged", unstaged: "untracked" };
  const count = FIELDS_BEFORE_PATH[kind];
  const parts = record.split(" ");
  const [, xy = "", sub = ""] = parts;
  const staged = STATES[xy[0] ?? ""];
  const unstaged = STATES[xy[1] ?? ""];
  if (count === undefined || parts.length <= count || !staged || !unstaged) throw unexpectedOutput("status", record);
  const path = parts.slice(count).join(" ");
  return {
    path,
    staged: kind === "u" ? "conflict" : staged,
    unstaged: kind === "u" ? "conflict" : unstaged,
    ...(oldPath !== undefined && { old_path: oldPath }),
    ...(sub.startsWith("S") && { submodule: true }),
  };
}

/** Reads `git status --porcelain=v2 --branch -z`. */
export async function treeStatus(tree: WorkTree, options: { readonly path?: string; readonly untracked?: boolean } = {}): Promise<TreeStatus> {
  const { path = ".", untracked = true } = options;
  const run = await tree.git([
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--ahead-behind",
    "--find-renames",
    "--ignore-submodules=dirty",
    `--untracked-files=${untracked ? "all" : "no"}`,
    "--",
    ...tree.spec(path),
  ]);
  const records = run.stdout.toString("utf8").split("\0");
  // What stands after the last NUL is nothing, or a record that was cut.
  records.pop();
  const headers = new Map<string, string>();
  const files: StatusFile[] = [];
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? "";
    const header = /^# (branch\.[a-z]+) (.*)$/s.exec(record);
    if (header) headers.set(header[1] ?? "", header[2] ?? "");
    else if (!record.startsWith("# ")) files.push(parseFile(record, record.startsWith("2 ") ? records[++i] : undefined));
  }
  const oid = headers.get("branch.oid");
  const head = headers.get("branch.head");
  if (oid === undefined || head === undefined) throw unexpectedOutput("status", records[0] ?? "");
  const distance = /^\+(\d+) -(\d+)$/.exec(headers.get("branch.ab") ?? "");
  return {
    branch: head === "(detached)" ? undefined : head,
    head: oid === "(initial)" ? undefined : oid,
    upstream: headers.get("branch.upstream"),
    ahead: distance ? Number(distance[1]) : undefined,
    behind: distance ? Number(distance[2]) : undefined,
    files,
    cut: run.cut,
  };
}
