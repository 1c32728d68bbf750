import { countText, describeSchema } from "./describeSchema.js";
import { findDuplicate } from "./findDuplicate.js";
import { isSchema, own, type SchemaObject } from "./jsonType.js";
import { type Marks, type Run, report, searchOf } from "./run.js";
import type { ArrayNode, SchemaNode } from "./schemaNode.js";
import { showValue } from "./showValue.js";
import type { Problem } from "./types.js";

/** The keywords of arrays, but for `unevaluatedItems`. */
export function evaluateArray(
  run: Run,
  schema: SchemaObject,
  node: ArrayNode,
  value: readonly unknown[],
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  let ok = !node.counts || evaluateCount(run, schema, value, out);
  // Too many items aren't looked at one by one.
  if (!ok && value.length > Number(own(schema, "maxItems") ?? Number.POSITIVE_INFINITY)) return false;
  if (ok || out !== undefined) ok = evaluateItems(run, schema, node, value, out, marks) && ok;
  if (node.unique && (ok || out !== undefined)) {
    const twins = findDuplicate(value);
    if (twins !== undefined) {
      ok = false;
      const [first, second] = twins;
      if (out)
        report(
          run,
          out,
          "uniqueItems",
          schema,
          (at) => `${at} must not hold the same item twice: items ${first} and ${second} are both ${showValue(value[second])}`,
        );
    }
  }
  if (node.contains !== undefined && (ok || out !== undefined)) ok = evaluateContains(run, schema, node.contains, value, out, marks) && ok;
  return ok;
}

function evaluateCount(run: Run, schema: SchemaObject, value: readonly unknown[], out: Problem[] | undefined): boolean {
  const min = own(schema, "minItems");
  const max = own(schema, "maxItems");
  const few = typeof min === "number" && value.length < min;
  const many = typeof max === "number" && value.length > max;
  if (!few && !many) return true;
  if (out) report(run, out, few ? "minItems" : "maxItems", schema, (at) => `${at} must have ${countText(min, max, "item", "items")}, got ${value.length}`);
  return false;
}

function evaluateItems(
  run: Run,
  schema: SchemaObject,
  node: ArrayNode,
  value: readonly unknown[],
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  const { tuple, rest, restKeyword } = node;
  let ok = true;
  for (let i = 0; i < Math.min(tuple.length, value.length); i += 1) {
    const each = tuple[i];
    if (each !== undefined && !visitItem(run, each, value[i], i, out)) ok = false;
    if (!ok && out === undefined) return false;
    marks?.items.add(i);
  }
  if (rest === undefined) return ok;
  if (rest.schema === false) {
    if (value.length <= tuple.length) return ok;
    if (out) {
      const most = tuple.length === 0 ? "must be empty" : `must have at most ${tuple.length} ${tuple.length === 1 ? "item" : "items"}`;
      report(run, out, restKeyword, schema, (at) => `${at} ${most}, got ${value.length}`);
    }
    return false;
  }
  const search = searchOf(run, node);
  for (let i = search(value, tuple.length, run.levels); i < value.length; i = search(value, i + 1, run.levels)) {
    if (!visitItem(run, rest, value[i], i, out)) ok = false;
    if (!ok && (out === undefined || out.length >= run.limit)) return false;
  }
  if (marks !== undefined) marks.allItems = true;
  return ok;
}

function visitItem(run: Run, node: SchemaNode, item: unknown, i: number, out: Problem[] | undefined): boolean {
  run.path.push(i);
  const ok = run.visit(run, node, item, out, undefined);
  run.path.pop();
  return ok;
}

function evaluateContains(
  run: Run,
  schema: SchemaObject,
  wanted: SchemaNode,
  value: readonly unknown[],
  out: Problem[] | undefined,
  marks: Marks | undefined,
): boolean {
  const draft07 = run.index.dialect === "draft-07";
  const min = draft07 ? 1 : Number(own(schema, "minContains") ?? 1);
  const max = draft07 ? Number.POSITIVE_INFINITY : Number(own(schema, "maxContains") ?? Number.POSITIVE_INFINITY);
  let found = 0;
  for (const [i, item] of value.entries()) {
    if (!visitItem(run, wanted, item, i, undefined)) continue;
    found += 1;
    marks?.items.add(i);
    if (marks === undefined && found > max) break;
  }
  if (found >= min && found <= max) return true;
  if (out) {
    const what = describeSchema(run.index, wanted.schema);
    const count = countText(min, Number.isFinite(max) ? max : undefined, "item", "items") ?? "no item";
    const keyword = found < min ? (min === 1 ? "contains" : "minContains") : "maxContains";
    report(
      run,
      out,
      keyword,
      schema,
      (at) => `${at} must contain ${count}${what === undefined ? " that fit its schema under contains" : ` like this: ${what}`}, got ${found}`,
    );
  }
  return false;
}

/** `unevaluatedItems`, after everything else in place. */
export function evaluateUnevaluatedItems(run: Run, schema: SchemaObject, value: readonly unknown[], out: Problem[] | undefined, marks: Marks): boolean {
  const rest = own(schema, "unevaluatedItems");
  if (!isSchema(rest) || marks.allItems || run.index.dialect === "draft-07") return true;
  const left = value.map((_, i) => i).filter((i) => !marks.items.has(i));
  if (rest === false && left.length > 0) {
    if (out)
      report(
        run,
        out,
        "unevaluatedItems",
        schema,
        (at) => `${at} must have no more items than its schema describes: item ${left[0]} is ${showValue(value[left[0] ?? 0])}`,
      );
    return false;
  }
  let ok = true;
  for (const i of left) {
    if (!visitItem(run, run.nodes.of(rest), value[i], i, out)) ok = false;
    if (!ok && out === undefined) return false;
  }
  marks.allItems = true;
  return ok;
}
