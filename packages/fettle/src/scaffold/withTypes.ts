import type { ToolSpec } from "@fettle/contract";
import { parse } from "yaml";
import { typesFileOf, typesFileText } from "../types/typesFile.js";
import type { NewFile } from "./template.js";

/**
 * New files, and for each spec among them the types of its handler.
 *
 * @param options.defaults as in {@link typesFileText}
 */
export function withTypes(files: readonly NewFile[], options: { readonly defaults: boolean }): readonly NewFile[] {
  return files.flatMap((file) => {
    if (!file.path.endsWith(".tool.yaml")) return [file];
    // Specs of templates are right: their tests check them.
    const spec = parse(file.text) as ToolSpec;
    return [file, { path: typesFileOf(file.path), text: typesFileText({ name: spec.name, version: spec.version, spec, file: file.path }, options) }];
  });
}
