import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { copyFile, open, realpath, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { atExit } from "./atExit.js";
import { indexLocked, notWritable } from "./gitErrors.js";

/** A copy of a repository's index, to stage and commit in, while git's own lock keeps everybody else from the real one. */
export interface OwnIndex {
  /** For GIT_INDEX_FILE. */
  readonly file: string;
  /** Makes a copy of the copy, which lives as long; for GIT_INDEX_FILE too. */
  again(): Promise<string>;
  /** Puts the copy in the place of the index and gives the lock back. */
  takeOver(): Promise<void>;
  /** Throws the copy away, unless it was taken over, and gives the lock back. The index is byte for byte what it was. */
  close(): Promise<void>;
}

/** git takes files that are as old as the index for possibly changed (racy-git). A younger copy would hide such changes. */
async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { atime, mtimeMs } = await stat(from);
  await utimes(to, atime, Math.floor(mtimeMs) / 1000);
}

const codeOf = (error: unknown): unknown => (typeof error === "object" && error !== null && "code" in error ? error.code : undefined);

/**
 * Locks the index and copies it.
 *
 * @throws external_error `git/locked` where another process has the lock, `git/failed` where the git folder can't be written to
 */
export async function ownIndex(gitDir: string): Promise<OwnIndex> {
  // git locks what a link leads to as well.
  const index = await realpath(join(gitDir, "index")).catch(() => join(gitDir, "index"));
  const lock = `${index}.lock`;
  const file = `${index}.${randomUUID()}`;
  try {
    await (await open(lock, "wx")).close();
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? indexLocked() : notWritable(error);
  }
  const own = [file, `${file}.lock`, lock];
  const taken = atExit(() => {
    for (const path of own) rmSync(path, { force: true });
  });
  const close = async () => {
    for (const path of own.splice(0)) await rm(path, { force: true });
    taken();
  };
  try {
    await copyIndex(index, file);
  } catch (error) {
    // Before the first `git add` there is no index.
    if (codeOf(error) !== "ENOENT") {
      await close();
      throw notWritable(error);
    }
  }
  return {
    file,
    again: async () => {
      const other = `${index}.${randomUUID()}`;
      own.unshift(other, `${other}.lock`);
      await copyIndex(file, other);
      return other;
    },
    takeOver: async () => {
      await rename(file, index);
      await close();
    },
    close,
  };
}
