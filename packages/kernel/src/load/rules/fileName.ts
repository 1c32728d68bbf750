import type { Finding, ToolSpec } from "@fettle/contract";
import { specCodes } from "../specCodes.js";

const FILE_NAME = /^(?<base>[^@]*)(?:@(?<suffix>.*))?\.tool\.yaml$/;

/**
 * T-FILE-1: the file is called like the tool, and `NAME@SUFFIX.tool.yaml` holds a version that begins with SUFFIX.
 *
 * @param file - name or path of the spec file
 */
export function* fileName({ name, version }: ToolSpec, file: string): Iterable<Finding> {
  const parts = FILE_NAME.exec(file.split(/[\\/]/).at(-1) ?? "")?.groups;
  if (!parts) return;
  const { base = "", suffix } = parts;
  if (base !== name) {
    yield {
      code: specCodes.code("file-name"),
      severity: "warning",
      message: `The tool is called ${name}, its file ${base}`,
      hint: `Call the file ${name}${suffix === undefined ? "" : `@${suffix}`}.tool.yaml, or mend the name.`,
      path: ["name"],
      rule: "T-FILE-1",
    };
  }
  if (suffix !== undefined && !beginsWith(version, suffix)) {
    yield {
      code: specCodes.code("file-version"),
      severity: "error",
      message: `The file name says @${suffix}, but the version is ${version}`,
      hint: suffix.startsWith("v")
        ? `Leave the v out: ${base}@${suffix.slice(1)}.tool.yaml.`
        : `Call the file ${base}@${version.split(".")[0]}.tool.yaml, or mend the version.`,
      path: ["version"],
      rule: "T-FILE-1",
    };
  }
}

/** By whole parts: 1 begins 1.4.0 and not 10.0.0. */
function beginsWith(version: string, prefix: string): boolean {
  return prefix !== "" && version.startsWith(prefix) && /^([.+-]|$)/.test(version.slice(prefix.length));
}
