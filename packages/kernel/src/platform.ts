import type { Clock, Logger } from "@fettle/contract";

/** What the kernel needs of the outside. It reads no file, clock or environment on its own. */
export interface Platform {
  readonly files: Files;
  readonly modules: Modules;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where checked specs are kept between starts. Default nowhere: each start checks all of them. */
  readonly cache?: Cache;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A new unique id for a call. */
  newId(): string;
}

/** Texts that are kept from one start to the next. Losing them costs time and nothing else, so that no method rejects. */
export interface Cache {
  /** Names the code that makes what is kept: what other code wrote isn't read. Undefined where nothing should be kept. */
  version(): Promise<string | undefined>;
  /** A hash of a text, such that no two texts have one. */
  hash(text: string): string;
  /** The text that was written last under an absolute path; undefined where there is none, or it can't be read. */
  read(path: string): Promise<string | undefined>;
  /** Writes a text in one step, so that nobody reads half of it. Does nothing where it can't. */
  write(path: string, text: string): Promise<void>;
}

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  /** What is there, links followed. `other`: a pipe, a socket, a device, or a link that leads nowhere. */
  readonly kind: "file" | "folder" | "other";
}

/** Files by absolute path. Every method rejects with a Node error (`code: "ENOENT"` ...) where it can't. */
export interface Files {
  /**
   * The bytes of a regular file. Pipes, sockets and devices are refused with `EFTYPE`: reading one may never end.
   *
   * @param most - of a larger file so many bytes and at least one more are read. Default all
   */
  read(path: string, most?: number): Promise<Uint8Array>;
  list(folder: string): Promise<readonly FolderEntry[]>;
  /** Size in bytes; undefined when there is no such regular file. */
  size(path: string): Promise<number | undefined>;
  /** Where a path leads once every link in it is followed: one answer for each folder, however it is reached. */
  real(path: string): Promise<string>;
}

/** A place in a module. Lines and columns count from 1. */
export interface ModulePlace {
  /** Absolute path; the module itself, or one that it imports. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Loads handler and plugin modules. */
export interface Modules {
  /**
   * Imports a module by absolute path. `generation` differs after a reload, so that a changed file is loaded again.
   * Rejects with what the module threw, or with a `SyntaxError` that has its place in `at` (`ModulePlace`) where that is known.
   */
  import(path: string, generation: number): Promise<Readonly<Record<string, unknown>>>;
  /** The file of a package as seen from a folder, else as the CLI's own dependency; undefined where there is none. */
  resolve(specifier: string, fromFolder: string): Promise<string | undefined>;
}
