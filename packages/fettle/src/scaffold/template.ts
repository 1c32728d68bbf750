import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { packageFolder } from "../packageFolder.js";

/** A file to be made, its path relative to some folder and with forward slashes. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

const TEMPLATES = join(packageFolder, "templates");
/** npm packs no file of the first name, and an editor that opens this repository should not heed the second. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore", vscode: ".vscode" };

/**
 * Reads the files of a template, sorted by path. `__KEY__` stands for the value of that name.
 *
 * @param name the folder in `templates/`
 */
export function template(name: "project" | "tool" | "plugin", values: Readonly<Record<string, string>>): readonly NewFile[] {
  return filesBelow(join(TEMPLATES, name))
    .map((file) => ({
      path: posix.join(...file.split("/").map((part) => RENAMED[part] ?? part)),
      text: filled(readFileSync(join(TEMPLATES, name, file), "utf8"), values, file),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filled(text: string, values: Readonly<Record<string, string>>, file: string): string {
  return text.replace(/__([A-Z_]+)__/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`the template ${file} asks for ${key}`);
    return value;
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)).map((file) => `${entry.name}/${file}`) : [entry.name],
  );
}
