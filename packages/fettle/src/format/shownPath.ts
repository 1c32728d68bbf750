import { isAbsolute, relative, sep } from "node:path";

/** A path as people read it: relative to the working folder where it is inside of it, with forward slashes. */
export function shownPath(file: string, cwd: string): string {
  if (!isAbsolute(file)) return file;
  const inside = relative(cwd, file);
  if (inside === "") return ".";
  const outside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (outside ? file : inside).split(sep).join("/");
}
