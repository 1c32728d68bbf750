import { dirname, isAbsolute, relative, sep } from "node:path";

/** A path as people read it: relative to the working folder where it is inside of it, with forward slashes. */
export function shownPath(file: string, cwd: string): string {
  if (!isAbsolute(file)) return file;
  const inside = relative(cwd, file);
  if (inside === "") return ".";
  const outside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (outside ? file : inside).split(sep).join("/");
}

/** A text with the absolute paths in it as people read them, and can paste them into a command: relative to the working folder where they are inside of it. */
export function shownPaths(text: string, cwd: string): string {
  if (dirname(cwd) === cwd || !text.includes(cwd)) return text;
  const prefix = `${cwd}${sep}`.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.replace(new RegExp(`(?<![^\\s('"])${prefix}`, "g"), "");
}
