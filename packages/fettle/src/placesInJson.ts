import { parse, type ValueNode } from "@humanwhocodes/momoa";
import type { Place } from "./format/codeFrame.js";

/** One step of a JS-style path: `.name`, `[0]` or `["x y"]`; the first name has no dot. */
const STEP = /\.?([\p{L}\p{N}_$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;

/**
 * Where problems are in a JSON text: an unknown member's name, any other value, and for what is missing the object that it is missing in.
 *
 * @param paths JS-style: `items[0].quantity`; one that leads nowhere has no place
 */
export function placesInJson(text: string, problems: readonly { readonly path: string; readonly keyword: string }[]): Place[] {
  const root = parse(text).body;
  return problems.flatMap(({ path, keyword }) => {
    const steps = stepsOf(path);
    return steps === undefined ? [] : [placeAt(root, steps, keyword)];
  });
}

function stepsOf(path: string): string[] | undefined {
  const steps: string[] = [];
  STEP.lastIndex = 0;
  for (let at = 0; at < path.length; at = STEP.lastIndex) {
    const [, name, index, quoted] = STEP.exec(path) ?? [];
    const step = name ?? index ?? (quoted === undefined ? undefined : String(JSON.parse(quoted)));
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

const OF_A_NAME = new Set(["additionalProperties", "unevaluatedProperties", "propertyNames"]);

function placeAt(root: ValueNode, steps: readonly string[], keyword: string): Place {
  let node = root;
  for (const [i, step] of steps.entries()) {
    const element = node.type === "Array" ? node.elements[Number(step)] : undefined;
    if (element !== undefined) {
      node = element.value;
      continue;
    }
    // The last of two members with one name is the one that counts.
    const member = node.type === "Object" ? node.members.findLast(({ name }) => (name.type === "String" ? name.value : name.name) === step) : undefined;
    if (member === undefined) return opening(node);
    if (i === steps.length - 1 && OF_A_NAME.has(keyword)) return placeOf(member.name);
    node = member.value;
  }
  return placeOf(node);
}

/** The first character: a missing member has no place of its own. */
function opening({ loc: { start } }: ValueNode): Place {
  return { line: start.line, column: start.column, endLine: start.line, endColumn: start.column + 1 };
}

function placeOf({ loc: { start, end } }: Pick<ValueNode, "loc">): Place {
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
