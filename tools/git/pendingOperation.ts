import { access } from "node:fs/promises";
import { join } from "node:path";

/** Something that was begun and waits to be finished. */
export type Operation = "merge" | "rebase" | "cherry_pick" | "revert" | "bisect";

/** Files that git keeps in the git folder meanwhile (wt-status.c). */
const OPERATIONS: readonly (readonly [string, Operation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry_pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

/** The operation that waits in a repository, if any. */
export async function pendingOperation(gitDir: string): Promise<Operation | undefined> {
  for (const [file, operation] of OPERATIONS) {
    const there = await access(join(gitDir, file)).then(
      () => true,
      () => false,
    );
    if (there) return operation;
  }
  return undefined;
}
