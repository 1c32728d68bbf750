import type { JsonSchema } from "@fettle/contract";
import { describeSchema, joinOr, namesText, valuesText } from "./describeSchema.js";
import { reportEnum, typeMessage } from "./evaluateLeaf.js";
import { formatName } from "./formatPath.js";
import { isObject, isSchema, type Members, own, type SchemaObject } from "./jsonType.js";
import { label, type Marks, newMarks, type Run, report } from "./run.js";
import { choicesOf, type SchemaNode } from "./schemaNode.js";
import { cutText, showGot, showValue } from "./showValue.js";
import { bitsOf, hasTypeIn } from "./typeBits.js";
import type { Problem } from "./types.js";

const LONGEST_FORMS = 200;

/** `anyOf` and `oneOf`. Of a value that fits none, only what is wrong by the branch that was meant is told. */
export function evaluateUnion(
  run: Run,
  schema: SchemaObject,
  keyword: "anyOf" | "oneOf",
  nodes: readonly SchemaNode[],
  value: unknown,
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  const fitting: number[] = [];
  for (const [i, node] of nodes.entries()) {
    const inner = marks === undefined ? undefined : newMarks();
    if (!run.visit(run, node, value, undefined, inner)) continue;
    fitting.push(i);
    if (marks !== undefined && inner !== undefined) {
      for (const key of inner.keys) marks.keys.add(key);
      for (const item of inner.items) marks.items.add(item);
      marks.allKeys ||= inner.allKeys;
      marks.allItems ||= inner.allItems;
    }
    // Without a need to know what was evaluated, anyOf is decided by the first branch and oneOf by the second.
    if (marks === undefined && fitting.length === (keyword === "anyOf" ? 1 : 2)) break;
  }
  if (keyword === "anyOf" ? fitting.length > 0 : fitting.length === 1) return true;
  if (out === undefined) return false;
  const branches = nodes.map((node) => node.schema);
  if (fitting.length > 1) explainTooMany(run, schema, branches, fitting, value, out);
  else explainNone(run, schema, keyword, branches, value, out);
  return false;
}

function explainTooMany(run: Run, schema: SchemaObject, branches: readonly JsonSchema[], fitting: readonly number[], value: unknown, out: Problem[]): void {
  const needs = requiredOnly(branches);
  const given = needs?.filter((_, i) => fitting.includes(i));
  if (given !== undefined && isObject(value)) {
    report(run, out, "oneOf", schema, () => `${place(run)}set only one of ${namesText(given.flat())}: ${namesText(given.flat())} were sent together`);
    return;
  }
  const forms = fitting.map((i) => branchName(run, branches[i], i)).join(" and ");
  report(run, out, "oneOf", schema, (at) => `${at} must fit exactly one of ${branches.length} forms, but fits ${forms}`);
}

function explainNone(run: Run, schema: SchemaObject, keyword: "anyOf" | "oneOf", branches: readonly JsonSchema[], value: unknown, out: Problem[]): void {
  const open = branches.map((branch) => resolve(run, branch));
  const types = open.map(typesOf);
  const candidates = branches.filter((_, i) => types[i] === undefined || hasTypeIn(bitsOf(types[i] ?? []), value, run.exactIntegers));
  if (candidates.length === 0) {
    const expected = joinOr(branches.map((branch) => describeSchema(run.index, branch) ?? "another type"));
    const all = types.flatMap((each) => each ?? []);
    report(run, out, keyword, schema, (at) => typeMessage(at, expected, all, value));
    return;
  }
  const only = candidates[0];
  if (candidates.length === 1 && only !== undefined) {
    run.visit(run, run.nodes.of(only), value, out, undefined);
    return;
  }
  if (isObject(value)) {
    if (explainByTag(run, schema, candidates, value, out)) return;
    const needs = requiredOnly(candidates);
    if (needs !== undefined) {
      const ways = joinOr(needs.map((names) => names.map(formatName).join(" with ")));
      report(run, out, keyword, schema, () => `${place(run)}set ${keyword === "oneOf" ? "exactly" : "at least"} one of: ${ways}`);
      return;
    }
  }
  const values = candidates.map((branch) => valuesOf(resolve(run, branch)));
  if (values.every((each) => each !== undefined)) {
    reportEnum(run, schema, choicesOf(values.flat()), value, out);
    return;
  }
  explainNearest(run, schema, keyword, candidates, value, out);
}

/** Where the branches have a member with fixed values that tells them apart, only the branch that it names is told. */
function explainByTag(run: Run, schema: SchemaObject, branches: readonly JsonSchema[], value: Readonly<Record<string, unknown>>, out: Problem[]): boolean {
  const open = branches.map((branch) => resolve(run, branch));
  const tag = findTag(run, open);
  if (tag === undefined) return false;
  const given = own(value, tag.key);
  if (given === undefined) {
    const values = [...tag.branchOf.keys()];
    report(run, out, "required", schema, (at) => `missing ${at}: required, ${values.length === 1 ? showValue(values[0]) : `one of ${valuesText(values)}`}`, {
      key: tag.key,
    });
    return true;
  }
  const named = tag.branchOf.get(given);
  if (named === undefined) {
    run.path.push(tag.key);
    reportEnum(run, tag.schema, choicesOf([...tag.branchOf.keys()]), given, out);
    run.path.pop();
    return true;
  }
  const [only, ...more] = named;
  if (only === undefined) return false;
  if (more.length > 0) {
    // Several branches share the tag: another tag, or the nearest, decides between them.
    const rest = named.map((i) => branches[i]).filter((branch) => branch !== undefined);
    if (rest.length === branches.length) return false;
    explainNone(run, schema, "anyOf", rest, value, out);
    return true;
  }
  run.visit(run, run.nodes.of(branches[only] ?? true), value, out, undefined);
  return true;
}

interface Tag {
  readonly key: string;
  readonly schema: JsonSchema;
  /** The branches that allow a value of the tag. */
  readonly branchOf: ReadonlyMap<unknown, readonly number[]>;
}

function findTag(run: Run, branches: readonly JsonSchema[]): Tag | undefined {
  const first = branches[0];
  for (const key of isObject(first) ? Object.keys(propertiesOf(run, first)) : []) {
    const branchOf = new Map<unknown, number[]>();
    let schema: JsonSchema = true;
    const all = branches.every((branch, i) => {
      const inner = isObject(branch) ? own(propertiesOf(run, branch), key) : undefined;
      const values = isSchema(inner) ? valuesOf(resolve(run, inner)) : undefined;
      if (values === undefined || !isSchema(inner)) return false;
      if (i === 0) schema = inner;
      for (const each of values) branchOf.set(each, [...(branchOf.get(each) ?? []), i]);
      return values.length > 0;
    });
    if (all && [...branchOf.values()].some((owners) => owners.length < branches.length)) return { key, schema, branchOf };
  }
  return undefined;
}

/** The members that a schema declares, those of its `allOf` too. */
function propertiesOf(run: Run, schema: Members, depth: number = 0): Readonly<Record<string, unknown>> {
  const direct = own(schema, "properties");
  const all = own(schema, "allOf");
  const members: Record<string, unknown> = isObject(direct) ? { ...direct } : {};
  if (Array.isArray(all) && depth < 3) {
    for (const each of all) {
      const inner = isSchema(each) ? resolve(run, each) : undefined;
      if (isObject(inner)) Object.assign(members, propertiesOf(run, inner, depth + 1));
    }
  }
  return members;
}

/** Without a tag: the branch by which the least is wrong, where there is one; else the forms by name. */
function explainNearest(run: Run, schema: SchemaObject, keyword: "anyOf" | "oneOf", branches: readonly JsonSchema[], value: unknown, out: Problem[]): void {
  const tries = branches.slice(0, 20).map((branch) => {
    const problems: Problem[] = [];
    run.visit({ ...run, path: [...run.path] }, run.nodes.of(branch), value, problems, undefined);
    return problems;
  });
  const fewest = Math.min(...tries.map((problems) => problems.length));
  const best = tries.filter((problems) => problems.length === fewest);
  const nearest = best[0];
  if (best.length === 1 && nearest !== undefined && (isObject(value) || Array.isArray(value))) {
    for (const problem of nearest) if (out.length < run.limit) out.push(problem);
    return;
  }
  const forms = joinOr(branches.slice(0, 10).map((branch, i) => describeSchema(run.index, branch) ?? branchName(run, branch, i)));
  report(run, out, keyword, schema, (at) => `${at} must be ${cutText(forms, LONGEST_FORMS)}, got ${showGot(value)}`);
}

function place(run: Run): string {
  return run.path.length === 0 ? "" : `${label(run)}: `;
}

function branchName(run: Run, branch: JsonSchema | undefined, i: number): string {
  const open = branch === undefined ? undefined : resolve(run, branch);
  const title = isObject(open) ? own(open, "title") : undefined;
  return typeof title === "string" ? title : `form ${i + 1}`;
}

/** Follows plain references, at most a few. */
function resolve(run: Run, schema: JsonSchema): JsonSchema {
  let at = schema;
  for (let i = 0; i < 8 && typeof at === "object"; i += 1) {
    const ref = own(at, "$ref");
    const target = typeof ref === "string" ? run.index.resolve(at, ref) : undefined;
    if (target === undefined) break;
    at = target.schema;
  }
  return at;
}

function typesOf(schema: JsonSchema): readonly string[] | undefined {
  if (typeof schema === "boolean") return undefined;
  const type = own(schema, "type");
  return type === undefined ? undefined : Array.isArray(type) ? type.map(String) : [String(type)];
}

function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (typeof schema === "boolean") return undefined;
  if (Object.hasOwn(schema, "const")) return [own(schema, "const")];
  const values = own(schema, "enum");
  return Array.isArray(values) ? values : undefined;
}

/** The `required` lists of branches that say nothing else. */
function requiredOnly(branches: readonly JsonSchema[]): readonly (readonly string[])[] | undefined {
  const lists: string[][] = [];
  for (const branch of branches) {
    const required = typeof branch === "object" ? own(branch, "required") : undefined;
    if (!Array.isArray(required) || Object.keys(branch).some((key) => key !== "required" && key !== "title" && key !== "description")) return undefined;
    lists.push(required.map(String));
  }
  return lists;
}
