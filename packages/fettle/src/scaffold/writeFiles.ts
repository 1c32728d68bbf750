import { mkdir, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../usageError.js";
import { visible } from "../visible.js";
import type { NewFile } from "./template.js";

/** A link to be made in the folder. */
export interface NewLink {
  readonly path: string;
  readonly target: string;
}

/**
 * Writes files and links into a folder, which is made if it isn't there. Nothing that exists is overwritten, and what was made is taken away again if
 * one of them can't be written, or what is to follow fails.
 *
 * @throws UsageError that says which file, and why
 */
export async function writeFiles(folder: string, files: readonly NewFile[], links: readonly NewLink[] = [], then?: () => Promise<void>): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  const makeFolder = async (path: string): Promise<void> => {
    const first = await mkdir(path, { recursive: true });
    if (first === undefined) return;
    // From the innermost to the first that was made; one that somebody else put a file in stays.
    for (let made = path; made.length >= first.length; made = dirname(made)) undo.unshift(() => rmdir(made));
  };
  let at = folder;
  try {
    await makeFolder(folder);
    for (const { path, text } of files) {
      at = join(folder, path);
      await makeFolder(dirname(at));
      await writeFile(at, text, { flag: "wx" });
      const made = at;
      undo.unshift(() => rm(made));
    }
    for (const { path, target } of links) {
      at = join(folder, path);
      await makeFolder(dirname(at));
      // A junction is what Windows lets anybody make; elsewhere it is a link like any other.
      await symlink(target, at, "junction");
      const made = at;
      undo.unshift(() => rm(made));
    }
    at = folder;
    await then?.();
  } catch (error) {
    for (const step of undo) await step().catch(() => {});
    const { path = at } = error as NodeJS.ErrnoException;
    throw new UsageError(`${visible(path)} can't be written: ${reason(error)}`, "Nothing was made.");
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "there is something of that name already.",
  EACCES: "this user may not write there.",
  EPERM: "this user may not write there.",
  EROFS: "the file system is read-only.",
  ENOTDIR: "a part of the path is a file, or a link that leads nowhere.",
  ENOENT: "a part of the path is a link that leads nowhere.",
  ELOOP: "a part of the path is a link that leads back to itself.",
  ENOSPC: "the disk is full.",
  ENAMETOOLONG: "the name is too long.",
};

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code !== undefined && REASONS[code]) || visible(message);
}
