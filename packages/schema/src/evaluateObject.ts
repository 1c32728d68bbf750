import type { JsonSchema } from "@fettle/contract";
import { countText, describeSchema, namesText } from "./describeSchema.js";
import { isObject, isSchema, type Members, own, type SchemaObject } from "./jsonType.js";
import { findMisspelt } from "./misspelt.js";
import { label, type Marks, type Run, report } from "./run.js";
import type { ObjectFacts } from "./schemaFacts.js";
import { cutText } from "./showValue.js";
import type { Problem } from "./types.js";

/** More unknown keys than this are told in one line. */
const MOST_UNKNOWN = 5;

/** The keywords of objects, but for `unevaluatedProperties`. */
export function evaluateObject(
  run: Run,
  schema: SchemaObject,
  facts: ObjectFacts,
  value: Members,
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  let ok = true;
  let others = NO_OTHERS;
  let explained = NOTHING;
  if (facts.additional !== undefined || facts.patterns.length > 0) {
    others = sortOthers(run, facts, value);
    if (others.unknown.length > 0) {
      if (out === undefined) return false;
      ok = false;
      const meant = findMisspelt(others.unknown, Object.keys(facts.declared), value);
      reportUnknown(run, schema, others.unknown, facts, meant, out);
      explained = new Set(meant.values());
    }
  }
  ok = evaluateDeclared(run, schema, facts, value, explained, out, marks) && ok;
  if (!ok && out === undefined) return false;
  for (const [key, inner] of others.matched) {
    ok = visitMember(run, inner, value[key], key, out) && ok;
    marks?.keys.add(key);
    if (!ok && (out === undefined || out.length >= run.limit)) return false;
  }
  if (facts.counts) ok = evaluateCounts(run, schema, value, out) && ok;
  if (!facts.dependencies || (!ok && out === undefined)) return ok;
  return evaluateDependencies(run, schema, value, out, marks) && ok;
}

interface Others {
  readonly matched: readonly (readonly [key: string, schema: JsonSchema])[];
  readonly unknown: readonly string[];
}

const NO_OTHERS: Others = { matched: [], unknown: [] };
const NOTHING: ReadonlySet<string> = new Set();

/** The members that `properties` doesn't declare: with the schemas that apply to them, or unknown where none may be there. */
function sortOthers(run: Run, { declared, additional, patterns }: ObjectFacts, value: Members): Others {
  const matched: (readonly [string, JsonSchema])[] = [];
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    let known = Object.hasOwn(declared, key);
    for (const [pattern, inner] of patterns) {
      if (!run.matcher(pattern).test(key)) continue;
      matched.push([key, inner]);
      known = true;
    }
    if (known || additional === undefined) continue;
    if (additional === false) unknown.push(key);
    else matched.push([key, additional]);
  }
  return { matched, unknown };
}

function reportUnknown(
  run: Run,
  schema: SchemaObject,
  unknown: readonly string[],
  facts: ObjectFacts,
  meant: ReadonlyMap<string, string>,
  out: Problem[],
): void {
  const { key: noun } = run.words;
  const declared = Object.keys(facts.declared);
  const patterns = facts.patterns.map(([pattern]) => pattern);
  const allowed =
    declared.length > 0
      ? ` Allowed here: ${namesText(declared)}`
      : patterns.length > 0
        ? ` Keys here must match pattern ${cutText(patterns.join(" or "), 120)}`
        : ` No ${noun}s are allowed here`;
  // Each gets a line while they are few; of many, all but the first are told together.
  const single = unknown.length > MOST_UNKNOWN ? unknown.slice(0, MOST_UNKNOWN - 1) : unknown;
  for (const [i, key] of single.entries()) {
    const suggestion = meant.get(key);
    const question = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
    const message = `unknown ${noun} ${label(run, key)}${question === "" && i > 0 ? "" : "."}${question}${i === 0 ? allowed : ""}`;
    report(run, out, "additionalProperties", schema, message, { key, suggestion });
  }
  const rest = unknown.slice(single.length);
  if (rest.length > 0) {
    const names = namesText(
      rest.map((key) => label(run, key)),
      MOST_UNKNOWN,
    );
    report(run, out, "additionalProperties", schema, `${rest.length} more unknown ${noun}s: ${names}`, { key: rest[0] ?? "" });
  }
}

function evaluateDeclared(
  run: Run,
  schema: SchemaObject,
  facts: ObjectFacts,
  value: Members,
  explained: ReadonlySet<string>,
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  let ok = true;
  for (const [key, inner] of facts.properties) {
    const member = own(value, key);
    if (member !== undefined) {
      if (isSchema(inner) && !visitMember(run, inner, member, key, out)) ok = false;
      marks?.keys.add(key);
    } else if (facts.required.has(key)) {
      ok = false;
      if (out && !explained.has(key)) reportMissing(run, schema, key, isSchema(inner) ? inner : true, facts.declared, value, out);
    }
    if (!ok && (out === undefined || out.length >= run.limit)) return false;
  }
  for (const key of facts.requiredElsewhere) {
    if (own(value, key) !== undefined) continue;
    if (out === undefined) return false;
    ok = false;
    reportMissing(run, schema, key, true, facts.declared, value, out);
  }
  return ok;
}

function reportMissing(run: Run, schema: SchemaObject, key: string, inner: JsonSchema, declared: Members, value: Members, out: Problem[]): void {
  const what = describeSchema(run.index, inner);
  // In an open object a misspelt key is no problem of its own, so the missing one mentions it.
  const strays = own(schema, "additionalProperties") === false ? [] : Object.keys(value).filter((each) => !Object.hasOwn(declared, each));
  const stray = findMisspelt(strays, [key], value).keys().next().value;
  const hint = stray === undefined ? "" : `. You sent ${cutText(stray)}: did you mean ${key}?`;
  report(run, out, "required", schema, `missing ${label(run, key)}: required${what === undefined ? "" : `, ${what}`}${hint}`, { key });
}

function visitMember(run: Run, schema: JsonSchema, member: unknown, key: string, out: Problem[] | undefined): boolean {
  run.path.push(key);
  const ok = run.visit(run, schema, member, out, undefined);
  run.path.pop();
  return ok;
}

function evaluateCounts(run: Run, schema: SchemaObject, value: Members, out: Problem[] | undefined): boolean {
  const min = own(schema, "minProperties");
  const max = own(schema, "maxProperties");
  const names = own(schema, "propertyNames");
  if (min === undefined && max === undefined && names === undefined) return true;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const few = typeof min === "number" && keys.length < min;
  const many = typeof max === "number" && keys.length > max;
  let ok = !few && !many;
  if (!ok && out)
    report(
      run,
      out,
      few ? "minProperties" : "maxProperties",
      schema,
      `${label(run)} must have ${countText(min, max, "member", "members")}, got ${keys.length}`,
    );
  if (!isSchema(names)) return ok;
  for (const key of keys) {
    if (run.visit(run, names, key, undefined, undefined)) continue;
    if (out === undefined) return false;
    ok = false;
    const inner: Problem[] = [];
    run.visit({ ...run, path: [], words: { ...run.words, root: `${run.words.key} name ${label(run, key)}` } }, names, key, inner, undefined);
    report(run, out, "propertyNames", schema, inner[0]?.message ?? `${run.words.key} name ${label(run, key)} is not allowed`, { key });
    if (out.length >= run.limit) break;
  }
  return ok;
}

function evaluateDependencies(run: Run, schema: SchemaObject, value: Members, out: Problem[] | undefined, marks: Marks | undefined): boolean {
  const draft07 = run.index.dialect === "draft-07";
  let ok = true;
  for (const keyword of draft07 ? ["dependencies"] : ["dependentRequired", "dependentSchemas"]) {
    const table = own(schema, keyword);
    if (!isObject(table)) continue;
    for (const [key, needs] of Object.entries(table)) {
      if (own(value, key) === undefined) continue;
      if (Array.isArray(needs)) {
        const missing = needs.filter((each) => typeof each === "string" && own(value, each) === undefined).map(String);
        if (missing.length === 0) continue;
        ok = false;
        if (out)
          report(run, out, keyword, schema, `${label(run, key)} requires ${namesText(missing.map((each) => label(run, each)))} to be set`, {
            key: missing[0] ?? "",
          });
      } else if (isSchema(needs) && !run.visit(run, needs, value, out, marks)) ok = false;
      if (!ok && out === undefined) return false;
    }
  }
  return ok;
}

/** `unevaluatedProperties`, after everything else in place. */
export function evaluateUnevaluatedProperties(run: Run, schema: SchemaObject, value: Members, out: Problem[] | undefined, marks: Marks): boolean {
  const rest = own(schema, "unevaluatedProperties");
  if (!isSchema(rest) || marks.allKeys || run.index.dialect === "draft-07") return true;
  const left = Object.keys(value).filter((key) => value[key] !== undefined && !marks.keys.has(key));
  let ok = true;
  for (const key of left) {
    if (rest === false) {
      ok = false;
      const meant = [...marks.keys, ...Object.keys(isObject(own(schema, "properties")) ? Object(own(schema, "properties")) : {})];
      const suggestion = findMisspelt([key], meant, value).get(key);
      if (out)
        report(
          run,
          out,
          "unevaluatedProperties",
          schema,
          `unknown ${run.words.key} ${label(run, key)}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`,
          { key, suggestion },
        );
    } else if (!visitMember(run, rest, value[key], key, out)) ok = false;
    if (!ok && (out === undefined || out.length >= run.limit)) return false;
  }
  marks.allKeys = true;
  return ok;
}
