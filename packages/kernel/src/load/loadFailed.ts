import type { Diagnostic } from "@fettle/contract";

/** Thrown when nothing can be served: the config or a plugin is wrong, or a spec is and `strict` is on. */
export class LoadFailed extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that diagnostics point into, for code frames. */
  readonly sources: ReadonlyMap<string, string>;

  constructor(diagnostics: readonly Diagnostic[], sources: ReadonlyMap<string, string>) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const [first] = errors;
    super(
      first
        ? `${first.file}:${first.line}:${first.column} ${first.code} ${first.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ""}`
        : "nothing could be loaded",
    );
    this.name = "LoadFailed";
    this.diagnostics = diagnostics;
    this.sources = sources;
  }
}
