import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { extname, join } from "node:path";

/** A folder at one moment, without its entries. */
export interface FolderMark {
  /** The number that the file system gives it. A folder that comes right after another one has gone may get the same. */
  readonly id: string;
  /** When it was made, in milliseconds since 1970; a file system that doesn't know says when it was changed. */
  readonly bornAt: number;
  /** When it was changed last, in milliseconds since 1970: entries came or went. */
  readonly changedAt: number;
}

/** A folder at one moment. */
export interface FolderState extends FolderMark {
  /** Files in it that can matter, by absolute path. */
  readonly files: ReadonlyMap<string, FileState>;
  /** Folders in it, apart from those in which nobody keeps specs. Absolute paths. */
  readonly folders: readonly SubFolder[];
}

/** A file at one moment. */
export interface FileState {
  /** Changes when the file does. */
  readonly stamp: string;
  /** When it was changed last, in milliseconds since 1970. */
  readonly changedAt: number;
}

export interface SubFolder {
  readonly path: string;
  readonly isLink: boolean;
}

/** Ends of files that can matter: specs, configs and modules. */
const ENDS = new Set([".yaml", ".yml", ".json", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs"]);

/** Whether a file of this name can matter. Editors keep files with a dot at the start while they save. */
export function isFileName(name: string): boolean {
  return !name.startsWith(".") && ENDS.has(extname(name));
}

/** Whether specs are looked for in a folder of this name. */
export function isFolderName(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules" && name !== "dist";
}

/** The folder at a path, without its entries; undefined where there is none. */
export function folderMark(path: string): FolderMark | undefined {
  const stats = statsOf(path);
  if (!stats?.isDirectory()) return undefined;
  return { id: `${stats.dev} ${stats.ino}`, bornAt: stats.birthtimeMs, changedAt: stats.ctimeMs };
}

/** Whether what was at a path and what is there now are one folder, as far as the file system can tell. */
export function isSameFolder(before: FolderMark | undefined, now: FolderMark | undefined): boolean {
  if (!before || !now) return before === now;
  const knowsBirth = before.bornAt !== before.changedAt || now.bornAt !== now.changedAt;
  return before.id === now.id && (before.bornAt === now.bornAt || !knowsBirth);
}

/** The folder at a path with its entries; undefined where there is none. One that can't be listed has none. */
export function folderState(path: string): FolderState | undefined {
  // Before the entries: what comes while they are listed shows in the next mark.
  const folder = folderMark(path);
  if (!folder) return undefined;
  const files = new Map<string, FileState>();
  const folders: SubFolder[] = [];
  for (const entry of entriesOf(path)) {
    const { name } = entry;
    const child = join(path, name);
    const isLink = entry.isSymbolicLink();
    if (isLink ? statsOf(child)?.isDirectory() : entry.isDirectory()) {
      if (isFolderName(name)) folders.push({ path: child, isLink });
      continue;
    }
    const stats = isFileName(name) ? statsOf(child) : undefined;
    if (stats) files.set(child, { stamp: `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`, changedAt: stats.ctimeMs });
  }
  return { ...folder, files, folders };
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
