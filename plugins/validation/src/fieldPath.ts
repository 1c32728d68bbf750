import type { JsonPath } from "@fettle/contract";

const KEY = String.raw`[^\s.\[\]"']+`;
const QUOTED = String.raw`\["(?:[^"\\]|\\["\\])*"\]`;

/** A field of a spec: JavaScript's path to an argument, where `[]` means every item. `items[].iban`, `headers["x y"]`. */
export const FIELD_PATTERN: string = String.raw`^(?:${KEY}|${QUOTED})(?:\.${KEY}|\[\]|${QUOTED})*$`;

/** In place of an index: every item. */
export const EVERY_ITEM = 0;

const STEP = new RegExp(String.raw`\.?(${KEY})|\[(\])|\["((?:[^"\\]|\\["\\])*)"\]`, "y");

/**
 * The steps of a field that matches {@link FIELD_PATTERN}; a number stands for every item.
 *
 * @example parseField("items[].iban") // ["items", EVERY_ITEM, "iban"]
 */
export function parseField(field: string): JsonPath {
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < field.length) {
    const [, key, every, quoted] = STEP.exec(field) ?? [];
    if (key === undefined && every === undefined && quoted === undefined) throw new TypeError(`${field} is no path of a field`);
    steps.push(every !== undefined ? EVERY_ITEM : (key ?? String(quoted).replaceAll(/\\(.)/g, "$1")));
  }
  return steps;
}

/** A field as it is written: the inverse of {@link parseField}. */
export function formatField(steps: JsonPath): string {
  return steps
    .map((step, i) => {
      if (typeof step === "number") return "[]";
      if (!new RegExp(`^${KEY}$`).test(step)) return `["${step.replaceAll(/["\\]/g, "\\$&")}"]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");
}

/** A value that a field names, and where it is. */
export interface FieldValue {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** The values that a field names: those that are there and aren't null, items in order. */
export function* valuesOf(args: unknown, steps: JsonPath, path: JsonPath = []): Iterable<FieldValue> {
  if (args === undefined || args === null) return;
  const [step, ...rest] = steps;
  if (step === undefined) yield { path, value: args };
  else if (typeof step === "number") {
    if (Array.isArray(args)) for (const [i, item] of args.entries()) yield* valuesOf(item, rest, [...path, i]);
  } else if (typeof args === "object" && !Array.isArray(args) && Object.hasOwn(args, step)) yield* valuesOf(Reflect.get(args, step), rest, [...path, step]);
}
