import type { JsonPath, ToolSpec } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import { catalogCodes } from "../catalogCodes.js";
import type { CatalogFinding, CatalogTool } from "./catalogTool.js";
import { isJsonObject } from "./isJsonObject.js";

/** A word in single backticks, with the word before it. */
const QUOTED = /(?:(?<before>[A-Za-z]+)[ \n]+)?(?<!`)`(?<token>[A-Za-z_][A-Za-z0-9_-]{0,63})`(?!`)/g;
/** Words after which a name in backticks is something to be called. */
const CALLING = /^(call|calls|calling|use|uses|using|run|runs|running|prefer|try)$/i;

/**
 * T-REF-2: a word in backticks that looks like a tool's name is one.
 *
 * Backticks hold parameters, values and file names too, so that this says nothing of a word that stands anywhere in the spec outside of its texts,
 * nor of one that has no _ or - in it. A word looks like a tool when a tool of the catalog begins with the same part (`git_`), when it is nearly
 * the name of one, or when it follows "use" or "call".
 */
export function* proseNames(tools: readonly CatalogTool[], known: ReadonlySet<string>): Iterable<CatalogFinding> {
  const firstParts = new Set([...known].flatMap((name) => firstPart(name) ?? []));
  for (const { file, spec } of tools) {
    let own: ReadonlySet<string> | undefined;
    const reported = new Set<string>();
    for (const { text, path } of textsOf(spec)) {
      for (const { groups } of text.matchAll(QUOTED)) {
        const { token = "", before = "" } = groups ?? {};
        const part = firstPart(token);
        if (part === undefined || known.has(token) || reported.has(token)) continue;
        own ??= wordsOf(spec);
        if (own.has(token)) continue;
        const near = nearestWord(token, known);
        if (!near && !firstParts.has(part) && !CALLING.test(before)) continue;
        reported.add(token);
        yield {
          file,
          code: catalogCodes.code("unknown-tool"),
          severity: "warning",
          message: `\`${token}\` looks like a tool, and there is none of that name`,
          hint: near ? `Did you mean ${near}?` : "Add the tool, or name one that is there; take the backticks off if it is no tool.",
          path,
          rule: "T-REF-2",
        };
      }
    }
  }
}

/** `git_` of git_log; undefined for a name of one part. */
function firstPart(name: string): string | undefined {
  return /^[A-Za-z0-9]+[_-](?=[A-Za-z0-9])/.exec(name)?.[0];
}

function* textsOf(spec: ToolSpec): Iterable<{ readonly text: string; readonly path: JsonPath }> {
  for (const field of ["description_short", "description_detailed", "when_to_use", "when_not_to_use"] as const) yield { text: spec[field], path: [field] };
  for (const [index, text] of spec.prerequisites.entries()) yield { text, path: ["prerequisites", index] };
  for (const [index, { solution }] of spec.common_errors.entries()) yield { text: solution, path: ["common_errors", index, "solution"] };
}

/** All keys and texts of a spec: parameters, enum values, error codes, tags. Prose is among them as whole texts, which match no word. */
function wordsOf(spec: ToolSpec): ReadonlySet<string> {
  const words = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") words.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        words.add(key);
        collect(member);
      }
    }
  };
  collect(spec);
  return words;
}
