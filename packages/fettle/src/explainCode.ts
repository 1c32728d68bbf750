import { nearestWord } from "@fettle/schema";
import { v1Rules } from "@fettle/spec-types/schemas";
import { allCodes } from "./codes.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";
import { visible } from "./visible.js";

/**
 * `fettle check --explain`: prints what a code or a rule of the spec means.
 *
 * @throws UsageError when nothing is called so, with the nearest name
 */
export async function explainCode(name: string, { json }: { readonly json: boolean }, { out, outPaint }: Pick<Terminal, "out" | "outPaint">): Promise<number> {
  const codes = await allCodes();
  const info = codes.get(name);
  const rule = Object.hasOwn(v1Rules, name) ? v1Rules[name] : undefined;
  if (info) {
    const { message, hint, type } = info;
    if (json) out(`${JSON.stringify({ code: name, message, hint, ...(type && { error_type: type }) }, null, 2)}\n`);
    else out(`${outPaint("strong", name)}${type ? `  ${type}` : ""}\n${message}\n${hint}\n`);
    return 0;
  }
  if (rule !== undefined) {
    if (json) out(`${JSON.stringify({ rule: name, message: rule }, null, 2)}\n`);
    else out(`${outPaint("strong", name)}  a rule of spec version 1\n${rule}\n`);
    return 0;
  }
  throw unknownCode(name, [...codes.keys()]);
}

function unknownCode(name: string, codes: readonly string[]): UsageError {
  const nearest = nearestWord(name, [...codes, ...Object.keys(v1Rules)]);
  const siblings = codes.filter((code) => code.startsWith(`${name.split("/")[0]}/`));
  return new UsageError(
    `Nothing is called ${visible(name)}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
    siblings.length > 0 ? `Codes: ${siblings.join(", ")}` : "A code looks like spec/unknown-key, a rule like T-NAME-1; fettle check --json names both.",
  );
}
