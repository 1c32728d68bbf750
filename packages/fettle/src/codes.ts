import { readFileSync } from "node:fs";
import { type CodeInfo, type CodeTable, httpCodes, networkCodes, systemCodes } from "@fettle/contract";
import { catalogCodes, configCodes, exampleCodes, pluginCodes, runCodes, specCodes } from "@fettle/kernel";

/** The codes of a table in full: `spec/unknown-key`. */
function tableEntries({ namespace, codes }: CodeTable): (readonly [code: string, info: CodeInfo])[] {
  return Object.entries(codes).map(([key, info]) => [`${namespace}/${key}`, info]);
}

const TABLES: readonly CodeTable[] = [specCodes, catalogCodes, exampleCodes, configCodes, pluginCodes, runCodes, systemCodes, networkCodes, httpCodes];

/** The codes of the kernel and of what handlers meet, with what is known of each. */
const codes: ReadonlyMap<string, CodeInfo> = new Map(TABLES.flatMap(tableEntries));

/** What is known of a code such as `spec/unknown-key`. */
export function codeInfo(code: string): CodeInfo | undefined {
  return codes.get(code);
}

/** All codes: those, those of the transports, and those of the plugins that this package brings. */
export async function allCodes(): Promise<ReadonlyMap<string, CodeInfo>> {
  const manifest: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const names = Object.keys(manifest.dependencies).filter((name) => name.startsWith("@fettle/plugin-"));
  const modules: readonly object[] = await Promise.all([import("@fettle/mcp"), ...names.map((name) => import(name))]);
  return new Map([...codes, ...modules.flatMap((module) => Object.values(module).filter(isCodeTable).flatMap(tableEntries))]);
}

function isCodeTable(value: unknown): value is CodeTable {
  return typeof value === "object" && value !== null && "namespace" in value && "codes" in value;
}
