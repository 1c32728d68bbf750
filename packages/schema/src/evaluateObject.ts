import { countText, namesText, wantedText } from "./describeSchema.js";
import { formatName } from "./formatPath.js";
import { isObject, isSchema, type Members, own, type SchemaObject } from "./jsonType.js";
import { findMisspelt, MOST_COMPARED, someKeys } from "./misspelt.js";
import { label, type Marks, type Run, report, searchOf } from "./run.js";
import type { ObjectNode, SchemaNode } from "./schemaNode.js";
import { cutText } from "./showValue.js";
import type { Problem } from "./types.js";

/** More unknown keys than this are told in one line. */
const MOST_UNKNOWN = 5;
const LONGEST_PATTERNS = 120;

/** The keywords of objects, but for `unevaluatedProperties`. */
export function evaluateObject(
  run: Run,
  schema: SchemaObject,
  node: ObjectNode,
  value: Members,
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  let ok = true;
  let others = NO_OTHERS;
  let explained = NOTHING;
  if (node.additional !== undefined || node.patterns.length > 0) {
    others = sortOthers(node, value);
    if (others.unknown.length > 0) {
      if (out === undefined) return false;
      ok = false;
      const meant = findMisspelt(others.unknown, [...node.declared], value, run.letters);
      reportUnknown(run, schema, others.unknown, node, meant, out);
      explained = new Set(meant.values());
    }
  }
  ok = evaluateDeclared(run, schema, node, value, explained, out, marks) && ok;
  if (!ok && out === undefined) return false;
  for (const [key, inner] of others.matched) {
    ok = visitMember(run, inner, value[key], key, out) && ok;
    marks?.keys.add(key);
    if (!ok && (out === undefined || out.length >= run.limit)) return false;
  }
  if (node.counts) ok = evaluateCounts(run, schema, value, out) && ok;
  if (!node.dependencies || (!ok && out === undefined)) return ok;
  return evaluateDependencies(run, schema, value, out, marks) && ok;
}

interface Others {
  readonly matched: readonly (readonly [key: string, node: SchemaNode])[];
  readonly unknown: readonly string[];
}

const NO_OTHERS: Others = { matched: [], unknown: [] };
const NOTHING: ReadonlySet<string> = new Set();

/** The members that `properties` doesn't declare: with the nodes that apply to them, or unknown where none may be there. */
function sortOthers({ declared, additional, patterns }: ObjectNode, value: Members): Others {
  if (patterns.length === 0 && !hasOthers(declared, value)) return NO_OTHERS;
  const matched: (readonly [string, SchemaNode])[] = [];
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    let known = declared.has(key);
    if ((known && patterns.length === 0) || value[key] === undefined) continue;
    for (const { matcher, node } of patterns) {
      if (!matcher().test(key)) continue;
      matched.push([key, node]);
      known = true;
    }
    if (known || additional === undefined) continue;
    if (additional.schema === false) unknown.push(key);
    else matched.push([key, additional]);
  }
  return { matched, unknown };
}

/** Whether there may be others. Costs no list of the keys, since there are seldom any. */
function hasOthers(declared: ReadonlySet<string>, value: Members): boolean {
  for (const key in value) if (!declared.has(key)) return true;
  return false;
}

function reportUnknown(run: Run, schema: SchemaObject, unknown: readonly string[], node: ObjectNode, meant: ReadonlyMap<string, string>, out: Problem[]): void {
  const { key: noun } = run.words;
  const patterns = node.patterns.length === 0 ? "" : `match pattern ${cutText(node.patterns.map(({ pattern }) => pattern).join(" or "), LONGEST_PATTERNS)}`;
  const allowed =
    node.declared.size > 0
      ? ` Allowed here: ${node.names()}${patterns === "" ? "" : ` and keys that ${patterns}`}`
      : patterns === ""
        ? ` No ${noun}s are allowed here`
        : ` Keys here must ${patterns}`;
  // Each gets a line while they are few. Of many, those that were misspelt and the first few of the others do; the rest is told together.
  const sorted = [...unknown.filter((key) => meant.has(key)), ...unknown.filter((key) => !meant.has(key))];
  const single = sorted.slice(0, sorted.length > MOST_UNKNOWN ? Math.max(meant.size, MOST_UNKNOWN - 1) : MOST_UNKNOWN);
  for (const [i, key] of single.entries()) {
    const suggestion = meant.get(key);
    report(run, out, "additionalProperties", schema, (at) => unknownText(noun, at, suggestion, i === 0 ? allowed : ""), { key, suggestion });
  }
  const rest = sorted.slice(single.length);
  if (rest.length > 0) {
    const names = namesText(rest, (key) => label(run, key), MOST_UNKNOWN);
    report(run, out, "additionalProperties", schema, () => `${rest.length} more unknown ${noun}s: ${names}`, { key: rest[0] ?? "" });
  }
}

/** `unknown argument brnch. Did you mean branch? Allowed here: branch, limit`. */
function unknownText(noun: string, at: string, suggestion: string | undefined, allowed: string): string {
  const question = suggestion === undefined ? "" : ` Did you mean ${formatName(suggestion)}?`;
  return `unknown ${noun} ${at}${question === "" && allowed === "" ? "" : "."}${question}${allowed}`;
}

function evaluateDeclared(
  run: Run,
  schema: SchemaObject,
  node: ObjectNode,
  value: Members,
  explained: ReadonlySet<string>,
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  let ok = true;
  // In an open object a misspelt key is no problem of its own, so the missing one mentions it. Looked for once: there may be many of both.
  let found: readonly string[] | undefined;
  const strays = (): readonly string[] => {
    found ??= node.additional?.schema === false ? [] : someKeys(value, (each) => !node.declared.has(each), MOST_COMPARED);
    return found;
  };
  const search = searchOf(run, node);
  for (let i = search(value, 0, run.levels); i < node.members.length; i = search(value, i + 1, run.levels)) {
    const each = node.members[i];
    if (each === undefined) continue;
    const { key, node: inner, required, wanted } = each;
    const member = own(value, key);
    if (member !== undefined) {
      if (inner !== undefined && !visitMember(run, inner, member, key, out)) ok = false;
      marks?.keys.add(key);
    } else if (required) {
      ok = false;
      if (out && !explained.has(key)) reportMissing(run, schema, key, wanted(), strays(), value, out);
    }
    if (!ok && (out === undefined || out.length >= run.limit)) return false;
  }
  for (const key of node.requiredElsewhere) {
    if (own(value, key) !== undefined) continue;
    if (out === undefined) return false;
    ok = false;
    reportMissing(run, schema, key, "", strays(), value, out);
  }
  return ok;
}

function reportMissing(run: Run, schema: SchemaObject, key: string, wanted: string, strays: readonly string[], value: Members, out: Problem[]): void {
  const stray = findMisspelt(strays, [key], value, run.letters).keys().next().value;
  const hint = stray === undefined ? "" : `. You sent ${formatName(stray)}: did you mean ${formatName(key)}?`;
  report(run, out, "required", schema, (at) => `missing ${at}: required${wanted}${hint}`, { key });
}

function visitMember(run: Run, node: SchemaNode, member: unknown, key: string, out: Problem[] | undefined): boolean {
  run.path.push(key);
  const ok = run.visit(run, node, member, out, undefined);
  run.path.pop();
  return ok;
}

function evaluateCounts(run: Run, schema: SchemaObject, value: Members, out: Problem[] | undefined): boolean {
  const min = own(schema, "minProperties");
  const max = own(schema, "maxProperties");
  const names = own(schema, "propertyNames");
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
      (at) => `${at} must have ${countText(min, max, "member", "members")}, got ${keys.length}`,
    );
  if (!isSchema(names)) return ok;
  const node = run.nodes.of(names);
  for (const key of keys) {
    if (run.visit(run, node, key, undefined, undefined)) continue;
    if (out === undefined) return false;
    ok = false;
    const inner: Problem[] = [];
    run.visit({ ...run, path: [], words: { ...run.words, root: `${run.words.key} name ${label(run, key)}` } }, node, key, inner, undefined);
    report(run, out, "propertyNames", schema, (at) => inner[0]?.message ?? `${run.words.key} name ${at} is not allowed`, { key });
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
        if (out) for (const each of missing) reportDependency(run, schema, keyword, key, each, out);
      } else if (isSchema(needs) && !run.visit(run, run.nodes.of(needs), value, out, marks)) ok = false;
      if (!ok && out === undefined) return false;
    }
  }
  return ok;
}

function reportDependency(run: Run, schema: SchemaObject, keyword: string, key: string, missing: string, out: Problem[]): void {
  const declared = own(schema, "properties");
  const inner = isObject(declared) ? own(declared, missing) : undefined;
  const wanted = isSchema(inner) ? wantedText(run.index, inner) : "";
  report(run, out, keyword, schema, (at) => `${label(run, key)} requires ${at} to be set${wanted}`, { key: missing });
}

/** `unevaluatedProperties`, after everything else in place. */
export function evaluateUnevaluatedProperties(run: Run, schema: SchemaObject, value: Members, out: Problem[] | undefined, marks: Marks): boolean {
  const rest = own(schema, "unevaluatedProperties");
  if (!isSchema(rest) || marks.allKeys || run.index.dialect === "draft-07") return true;
  const left = Object.keys(value).filter((key) => value[key] !== undefined && !marks.keys.has(key));
  if (left.length === 0) return true;
  if (rest === false) {
    if (out === undefined) return false;
    const allowed = new Set([...surelyDeclared(run, schema), ...marks.keys]);
    const meant = findMisspelt(left, [...allowed], value, run.letters);
    for (const [i, key] of left.entries()) {
      const suggestion = meant.get(key);
      const list = i > 0 || allowed.size === 0 ? "" : ` Allowed here: ${namesText([...allowed])}`;
      report(run, out, "unevaluatedProperties", schema, (at) => unknownText(run.words.key, at, suggestion, list), { key, suggestion });
    }
    return false;
  }
  let ok = true;
  for (const key of left) {
    if (!visitMember(run, run.nodes.of(rest), value[key], key, out)) ok = false;
    if (!ok && (out === undefined || out.length >= run.limit)) return false;
  }
  marks.allKeys = true;
  return ok;
}

/** The members that a schema declares whatever the value: its own, and those of what it refers to and of `allOf`. */
function surelyDeclared(run: Run, schema: SchemaObject, seen: Set<SchemaObject> = new Set()): Iterable<string> {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const direct = own(schema, "properties");
  const all = own(schema, "allOf");
  const ref = own(schema, "$ref");
  const target = typeof ref === "string" ? run.index.resolve(schema, ref)?.schema : undefined;
  const inner = [target, ...(Array.isArray(all) ? all : [])].filter(isObject) as readonly SchemaObject[];
  return [...Object.keys(isObject(direct) ? direct : {}), ...inner.flatMap((each) => [...surelyDeclared(run, each, seen)])];
}
