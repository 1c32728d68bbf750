import type { JsonSchema } from "@fettle/contract";
import { evaluateArray, evaluateUnevaluatedItems } from "./evaluateArray.js";
import { evaluateNumber, evaluateString, evaluateType, evaluateValues } from "./evaluateLeaf.js";
import { evaluateObject, evaluateUnevaluatedProperties } from "./evaluateObject.js";
import { evaluateUnion } from "./evaluateUnion.js";
import { formatName } from "./formatPath.js";
import { isObject, own, type SchemaObject } from "./jsonType.js";
import { type Marks, mergeMarks, newMarks, type Run, report, TooManySteps } from "./run.js";
import type { InPlaceNode, SchemaNode } from "./schemaNode.js";
import { showGot, showValue } from "./showValue.js";
import type { Problem } from "./types.js";

/**
 * Evaluates a value against a schema, all of JSON Schema 2020-12 and draft-07.
 *
 * A compiled check lets through most values that fit, since it is faster. This evaluator decides about all others, and says what is wrong with them. It
 * differs from other validators in what it reports: no follow-on problems, only the branch that was meant, bounded.
 */
export function evaluate(run: Run, node: SchemaNode, value: unknown, out: Problem[] | undefined, marks: Marks | undefined): boolean {
  const { schema } = node;
  if (schema === true) return true;
  if (out !== undefined && out.length >= run.limit) return false;
  if (--run.steps < 0) throw new TooManySteps("the check takes too many steps");
  if (schema === false) {
    if (out) report(run, out, "false schema", schema, (at) => `${at} is not allowed here, got ${showGot(value)}`);
    return false;
  }
  const base = run.index.isSingle && run.scope.length > 0 ? undefined : run.index.baseOf(schema);
  const entered = base !== undefined && run.scope.at(-1) !== base;
  if (entered) run.scope.push(base);
  const inner = run.tracks && (marks !== undefined || node.unevaluated) ? newMarks() : undefined;
  const ok = evaluateKeywords(run, schema, node, value, out, inner);
  if (entered) run.scope.pop();
  if (ok && marks !== undefined && inner !== undefined) mergeMarks(marks, inner);
  return ok;
}

function evaluateKeywords(run: Run, schema: SchemaObject, node: SchemaNode, value: unknown, out: Problem[] | undefined, marks: Marks | undefined): boolean {
  let ok = !node.reference || evaluateReferences(run, schema, value, out, marks);
  if (!ok && out === undefined) return false;
  if (node.reference && run.index.dialect === "draft-07" && Object.hasOwn(schema, "$ref")) return ok;
  if (node.types !== undefined && !evaluateType(run, node, node.types, value, out)) return false;
  if ((node.fixed !== undefined || node.choices !== undefined) && !evaluateValues(run, node, value, out)) return false;
  if (typeof value === "number") ok = (node.number === undefined || evaluateNumber(run, schema, node.number, value, out)) && ok;
  else if (typeof value === "string") ok = (node.text === undefined || evaluateString(run, schema, node.text, value, out)) && ok;
  else if (Array.isArray(value)) ok = (node.array === undefined || evaluateArray(run, schema, node.array, value, out, marks)) && ok;
  else if (isObject(value)) ok = (node.object === undefined || evaluateObject(run, schema, node.object, value, out, marks)) && ok;
  if (!ok && out === undefined) return false;
  if (node.inPlace !== undefined) ok = evaluateInPlace(run, schema, node.inPlace, value, out, marks) && ok;
  if (!ok && out === undefined) return false;
  if (marks === undefined || !ok) return ok;
  // Last, when everything in place has been evaluated; on a value that is wrong already it would only add noise.
  if (Array.isArray(value)) return evaluateUnevaluatedItems(run, schema, value, out, marks);
  return isObject(value) ? evaluateUnevaluatedProperties(run, schema, value, out, marks) : true;
}

function evaluateReferences(run: Run, schema: SchemaObject, value: unknown, out: Problem[] | undefined, marks: Marks | undefined): boolean {
  let ok = true;
  const ref = own(schema, "$ref");
  if (typeof ref === "string") {
    const target = run.index.resolve(schema, ref);
    if (target === undefined) throw new Error(`$ref ${ref} leads nowhere`);
    ok = follow(run, target.schema, value, out, marks);
  }
  const dynamic = run.index.dialect === "2020-12" ? own(schema, "$dynamicRef") : undefined;
  if (typeof dynamic === "string" && (ok || out !== undefined)) {
    const target = run.index.resolve(schema, dynamic);
    if (target === undefined) throw new Error(`$dynamicRef ${dynamic} leads nowhere`);
    const name = target.dynamicAnchor;
    // The outermost resource of the dynamic scope that has the anchor wins.
    const outer = name === undefined ? undefined : run.scope.map((base) => run.index.dynamicAnchor(base, name)).find((found) => found !== undefined);
    ok = follow(run, outer ?? target.schema, value, out, marks) && ok;
  }
  return ok;
}

/** Enters the schema that a reference leads to, in the resource that it is part of. */
function follow(run: Run, target: JsonSchema, value: unknown, out: Problem[] | undefined, marks: Marks | undefined): boolean {
  return evaluate(run, run.nodes.of(target), value, out, marks);
}

function evaluateInPlace(run: Run, schema: SchemaObject, node: InPlaceNode, value: unknown, out: Problem[] | undefined, marks: Marks | undefined): boolean {
  let ok = true;
  for (const each of node.all) {
    if (!evaluate(run, each, value, out, marks)) ok = false;
    if (!ok && out === undefined) return false;
  }
  for (const { keyword, branches } of node.unions) {
    if (!evaluateUnion(run, schema, keyword, branches, value, out, marks)) ok = false;
    if (!ok && out === undefined) return false;
  }
  const { not, condition } = node;
  if (not !== undefined && evaluate(run, not, value, undefined, run.tracks ? newMarks() : undefined)) {
    ok = false;
    if (out) report(run, out, "not", schema, (at) => `${at} ${notText(not.schema)}, got ${showGot(value)}`);
  }
  if (condition === undefined || (!ok && out === undefined)) return ok;
  const met = evaluate(run, condition, value, undefined, marks);
  const consequence = met ? node.consequence : node.alternative;
  if (consequence === undefined) return ok;
  const before = out?.length ?? 0;
  if (evaluate(run, consequence, value, out, marks)) return ok;
  const reason = met ? conditionText(condition.schema) : undefined;
  if (out !== undefined && reason !== undefined) {
    for (let i = before; i < out.length; i += 1) {
      const problem = out[i];
      if (problem !== undefined) out[i] = { ...problem, message: `${problem.message} (because ${reason})` };
    }
  }
  return false;
}

/** What a `not` forbids, where it can be said. */
function notText(not: JsonSchema): string {
  if (typeof not === "boolean") return "is not allowed here";
  if (Object.hasOwn(not, "const")) return `must not be ${showValue(own(not, "const"))}`;
  const values = own(not, "enum");
  if (Array.isArray(values)) return `must not be one of ${showValue(values, 200)}`;
  const required = own(not, "required");
  if (Array.isArray(required))
    return `must not have ${required
      .map((name) => formatName(String(name)))
      .slice(0, 10)
      .join(" together with ")}`;
  const type = own(not, "type");
  if (typeof type === "string") return `must not be of type ${type}`;
  return "must not fit the schema under not";
}

/** `mode is "small"`: the condition of an `if` that compares one or two members. */
function conditionText(condition: JsonSchema): string | undefined {
  const properties = typeof condition === "boolean" ? undefined : own(condition, "properties");
  if (!isObject(properties)) return undefined;
  const parts: string[] = [];
  for (const [key, schema] of Object.entries(properties)) {
    if (!isObject(schema) || !Object.hasOwn(schema, "const")) return undefined;
    parts.push(`${formatName(key)} is ${showValue(own(schema, "const"))}`);
  }
  return parts.length > 0 && parts.length < 3 ? parts.join(" and ") : undefined;
}
