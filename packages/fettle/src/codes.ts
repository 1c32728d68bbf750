import { type CodeInfo, type CodeTable, httpCodes, networkCodes, systemCodes } from "@fettle/contract";
import { catalogCodes, configCodes, exampleCodes, pluginCodes, runCodes, specCodes } from "@fettle/kernel";

/** The codes of a table in full: `spec/unknown-key`. */
export function tableEntries({ namespace, codes }: CodeTable): (readonly [code: string, info: CodeInfo])[] {
  return Object.entries(codes).map(([key, info]) => [`${namespace}/${key}`, info]);
}

const TABLES: readonly CodeTable[] = [specCodes, catalogCodes, exampleCodes, configCodes, pluginCodes, runCodes, systemCodes, networkCodes, httpCodes];

/** The codes of the kernel and of what handlers meet, with what is known of each. */
export const codes: ReadonlyMap<string, CodeInfo> = new Map(TABLES.flatMap(tableEntries));

/** What is known of a code such as `spec/unknown-key`. */
export function codeInfo(code: string): CodeInfo | undefined {
  return codes.get(code);
}
