/** Whether git takes these bytes for binary: a NUL in the first 8,000 (xdiff-interface.c, buffer_is_binary). */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}

/** Bytes as text. What isn't UTF-8 is shown as U+FFFD, and `lossy` says so. */
export function decode(bytes: Buffer): { text: string; lossy: boolean } {
  const text = bytes.toString("utf8");
  // U+FFFD may stand in the text itself, so its presence alone proves nothing.
  return { text, lossy: text.includes("\ufffd") && !Buffer.from(text, "utf8").equals(bytes) };
}

/** A line, cut to `most` characters and saying how many are left out. Surrogate pairs stay whole. */
export function shortLine(line: string, most: number): string {
  if (line.length <= most) return line;
  const end = /[\ud800-\udbff]/.test(line[most - 1] ?? "") ? most - 1 : most;
  return `${line.slice(0, end)}\u2026 [${line.length - end} more characters]`;
}

/** The lines of a text; a line break at the end begins no further line. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
