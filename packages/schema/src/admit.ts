import type { JsonPath, JsonSchema } from "@fettle/contract";
import { checkKeywords } from "./checkKeywords.js";
import { compilePattern } from "./compilePattern.js";
import { findLoops } from "./findLoops.js";
import { isObject, own, type SchemaObject } from "./jsonType.js";
import { measure } from "./measure.js";
import { SchemaIndex } from "./schemaIndex.js";
import { cutText } from "./showValue.js";
import { type Dialect, dialectOf, subschemas } from "./subschemas.js";
import type { SchemaFinding } from "./types.js";

/** Nesting of a schema, as JSON. Deeper ones overflow the stack of whoever compiles them. */
const DEEPEST = 200;
const LARGEST = 1024 * 1024;
const MOST_FINDINGS = 100;
/** Compiling one takes up to a few milliseconds. */
const MOST_PATTERNS = 500;

/** What a look at a schema gave. */
export interface Admission {
  /** The dialect to compile by; undefined when it is refused. */
  readonly dialect: Dialect | undefined;
  readonly findings: readonly SchemaFinding[];
}

/** Looks whether a schema can be enforced as it is written, without compiling it. */
export function admitSchema(schema: JsonSchema): Admission {
  const over = measure(schema, { depth: DEEPEST, bytes: LARGEST }).over;
  if (over !== undefined) {
    const message = over === "depth" ? `the schema is nested more than ${DEEPEST} levels deep` : `the schema is larger than ${LARGEST / 1024} KiB`;
    return refused([], over === "depth" ? "too-deep" : "too-large", message, "Split it, or describe less.");
  }
  const dialect = dialectOf(schema);
  if (dialect === undefined) {
    const asked = typeof schema === "object" ? own(schema, "$schema") : undefined;
    const message = `$schema asks for ${cutText(String(asked), 100)}, a dialect that isn't known here`;
    return refused(["$schema"], "unknown-dialect", message, "Leave $schema out for 2020-12, or name 2020-12 or draft-07.");
  }
  const findings: SchemaFinding[] = [];
  const index = new SchemaIndex(schema, dialect);
  const walk = new Walk(index, dialect, findings);
  walk.visit(schema, []);
  if (!findings.some((each) => each.code === "schema/dangling-ref" || each.code === "schema/remote-ref")) findings.push(...findLoops(index, schema));
  return { dialect: findings.some((each) => each.severity === "error") ? undefined : dialect, findings: findings.slice(0, MOST_FINDINGS) };
}

function refused(path: JsonPath, code: string, message: string, hint: string): Admission {
  return { dialect: undefined, findings: [{ severity: "error", code: `schema/${code}`, path, message, hint }] };
}

class Walk {
  readonly #index: SchemaIndex;
  readonly #dialect: Dialect;
  readonly #findings: SchemaFinding[];
  readonly #seen = new Set<object>();
  #patterns = 0;

  constructor(index: SchemaIndex, dialect: Dialect, findings: SchemaFinding[]) {
    this.#index = index;
    this.#dialect = dialect;
    this.#findings = findings;
  }

  visit(schema: JsonSchema, path: JsonPath): void {
    if (typeof schema === "boolean" || this.#seen.has(schema)) return;
    this.#seen.add(schema);
    this.#findings.push(...checkKeywords(schema, this.#dialect, path));
    this.#checkPatterns(schema, path);
    this.#checkReference(schema, path, "$ref");
    if (this.#dialect === "2020-12") this.#checkReference(schema, path, "$dynamicRef");
    for (const inner of subschemas(schema, this.#dialect)) this.visit(inner.schema, [...path, ...inner.path]);
  }

  #checkPatterns(schema: SchemaObject, path: JsonPath): void {
    const pattern = own(schema, "pattern");
    if (typeof pattern === "string") this.#checkPattern(pattern, [...path, "pattern"]);
    const byPattern = own(schema, "patternProperties");
    for (const each of isObject(byPattern) ? Object.keys(byPattern) : []) this.#checkPattern(each, [...path, "patternProperties", each]);
  }

  #checkPattern(pattern: string, path: JsonPath): void {
    this.#patterns += 1;
    if (this.#patterns > MOST_PATTERNS) {
      if (this.#patterns === MOST_PATTERNS + 1)
        this.#findings.push({
          severity: "error",
          code: "schema/too-large",
          path,
          message: `the schema has more than ${MOST_PATTERNS} patterns`,
          hint: "Describe less.",
        });
      return;
    }
    const compiled = compilePattern(pattern);
    if (compiled.kind !== "refused") return;
    const bad = compiled.code === "bad-pattern";
    this.#findings.push({
      severity: "error",
      code: `schema/${compiled.code}`,
      path,
      message: bad
        ? `pattern ${cutText(pattern, 80)} is no regular expression of ECMA-262 with the flag u: ${compiled.reason}`
        : `pattern ${cutText(pattern, 80)} can't be matched safely: ${compiled.reason}`,
      hint: bad
        ? "Write it as JavaScript reads it with the flag u: escape only what has a meaning, and name groups (?<name>...)."
        : "Write it without back-references, large repeats and repeats in look-arounds, or use maxLength, enum or format.",
    });
  }

  #checkReference(schema: SchemaObject, path: JsonPath, keyword: "$ref" | "$dynamicRef"): void {
    const ref = own(schema, keyword);
    if (typeof ref !== "string" || this.#index.resolve(schema, ref) !== undefined) return;
    const shown = cutText(ref, 120);
    const remote = !ref.startsWith("#");
    this.#findings.push({
      severity: "error",
      code: remote ? "schema/remote-ref" : "schema/dangling-ref",
      path: [...path, keyword],
      message: remote ? `${keyword} ${shown} leads out of the schema; nothing is ever fetched` : `${keyword} ${shown} leads nowhere in this schema`,
      hint: remote ? "Copy what it refers to under $defs and refer to it as #/$defs/NAME." : `Put the schema there, or mend the pointer: ${this.#nearby()}`,
    });
  }

  #nearby(): string {
    const root = this.#index.root;
    const names: string[] = [];
    for (const key of ["$defs", "definitions"]) {
      const map = typeof root === "object" ? own(root, key) : undefined;
      if (isObject(map)) names.push(...Object.keys(map).map((name) => `#/${key}/${name}`));
    }
    return names.length === 0 ? "the schema has no $defs." : `there are ${names.slice(0, 10).join(", ")}.`;
  }
}
