import { unexpectedOutput } from "./gitErrors.js";
import type { WorkTree } from "./workTree.js";

/** What happened to a file. */
export type ChangeStatus = "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed" | "unmerged";

/** One file of a comparison. */
export interface ChangedFile {
  readonly path: string;
  /** Its path before, where it was renamed or copied. */
  readonly old_path?: string;
  readonly status: ChangeStatus;
  /** Lines added and removed; 0 for binary files. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

/** The files of a comparison, as far as they were read. */
export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  /** There are more than could be read. */
  readonly cut: boolean;
}

const STATUS: Readonly<Record<string, ChangeStatus>> = { A: "added", M: "modified", D: "deleted", R: "renamed", C: "copied", T: "type_changed", U: "unmerged" };

/** The tree without files, which git knows without storing it, for comparing a first commit: in the hash format that `like` is in. */
export function emptyTree(like: string): string {
  return like.length === 40 ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904" : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
}

/** Options of every `git diff`: nothing is run, and the form doesn't depend on anybody's configuration. */
export const DIFF_OPTIONS: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--find-renames",
  "--submodule=short",
  "--ignore-submodules=dirty",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--inter-hunk-context=0",
];

/**
 * The files that differ, from `git diff --raw --numstat -z`: first the raw records (`:modes hashes STATUS NUL path NUL [path NUL]`),
 * then the counts (`added TAB deleted TAB path NUL`, or an empty path and two more fields for a rename).
 *
 * @param what the arguments of `git diff` that say what is compared, without paths
 * @param path "." for everything
 */
export async function changedFiles(tree: WorkTree, what: readonly string[], path: string): Promise<ChangedFiles> {
  const run = await tree.git(["diff", ...DIFF_OPTIONS, "--raw", "--numstat", "-z", ...what, "--", ...tree.spec(path)], { maxBytes: 4 * 1024 * 1024 });
  const text = run.stdout.toString("utf8");
  const fields = text.split("\0");
  // What stands after the last NUL is nothing, or a record that was cut.
  fields.pop();

  const found = new Map<string, { old_path?: string; status: ChangeStatus }>();
  const counts = new Map<string, { additions: number; deletions: number; binary: boolean }>();
  for (let i = 0; i < fields.length; ) {
    const field = fields[i++] ?? "";
    if (field.startsWith(":")) {
      const letter = field.slice(field.lastIndexOf(" ") + 1)[0] ?? "";
      const status = STATUS[letter];
      const first = fields[i++];
      if (status === undefined || first === undefined) {
        if (run.cut) break;
        throw unexpectedOutput("diff", field);
      }
      if (status !== "renamed" && status !== "copied") {
        // A file in a conflict comes twice: as unmerged, and as compared with one side.
        if (!found.has(first)) found.set(first, { status });
        continue;
      }
      const second = fields[i++];
      if (second !== undefined) found.set(second, { status, old_path: first });
      continue;
    }
    const count = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field);
    if (!count) throw unexpectedOutput("diff", field);
    const [, plus = "", minus = "", direct = ""] = count;
    // A rename has no path here: its old and new one follow.
    if (direct === "") i += 2;
    const target = direct === "" ? fields[i - 1] : direct;
    if (target !== undefined) counts.set(target, { additions: Number(plus) || 0, deletions: Number(minus) || 0, binary: plus === "-" });
  }
  const files = [...found].map(
    ([name, about]): ChangedFile => ({ path: name, ...about, ...(counts.get(name) ?? { additions: 0, deletions: 0, binary: false }) }),
  );
  return { files, cut: run.cut };
}
