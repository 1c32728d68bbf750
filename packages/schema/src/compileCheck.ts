import type { JsonSchema } from "@fettle/contract";
import { hasFewer } from "./characters.js";
import { findDuplicate } from "./findDuplicate.js";
import { isMultipleOf } from "./isMultipleOf.js";
import { isObject, isSchema, type Members, own, type SchemaObject } from "./jsonType.js";
import { sizeOf } from "./measure.js";
import {
  type ArrayNode,
  type Choices,
  choicesOf,
  type InPlaceNode,
  type NumberNode,
  type ObjectNode,
  type SchemaNode,
  type SchemaNodes,
  type TextNode,
} from "./schemaNode.js";
import { bitsOf } from "./typeBits.js";
import type { EngineLimits } from "./types.js";

/**
 * Says of a value that it surely fits a schema and is within the limits. Of a value that it doesn't say so of nothing is known: it doesn't fit, is
 * too large or too deep, or was too much to look at. That is the evaluator's to find out.
 */
export type CompiledCheck = (value: unknown) => boolean;

/** What a check is compiled for. */
export interface CheckSettings {
  readonly formats: boolean;
  readonly exactIntegers: boolean;
  readonly limits: Pick<EngineLimits, "depth" | "bytes">;
}

/** A schema of more parts than anybody writes by hand is left to the evaluator. */
const MOST_FUNCTIONS = 1_500;
/** An enum of no more texts is compared one by one. */
const FEW_VALUES = 16;

/** Compiles the check of a schema to JavaScript. It is sure of nothing where only the evaluator knows: `unevaluated*`, `$dynamicRef`, thousands of parts. */
export function compileCheck(nodes: SchemaNodes, schema: JsonSchema, settings: CheckSettings): CompiledCheck {
  try {
    return new CheckWriter(nodes, settings).compile(schema);
  } catch (error) {
    if (error instanceof NotCompiled) return () => false;
    throw error;
  }
}

class NotCompiled extends Error {}

const UNSURE = "{ left = -1; return false; }";
const TOO_DEEP = `if (d <= 0) ${UNSURE}`;
const WITHIN_LIMIT = `if (b > left) ${UNSURE}`;

/** Names that every object inherits a value of. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Writes one function for each schema that applies to objects or arrays or refers to others, `(v, d) => boolean`: whether `v` fits, where containers may
 * nest `d` levels deep. Plain values are checked where they stand. What is written has these rules:
 *
 * - `left` is what is left of the limit in bytes. Each function takes something from it when it begins, and the size of what it has seen in the end,
 *   so that whatever takes long uses it up. What is looked at twice may be taken twice.
 * - A function that says yes has taken the size of all of the value, by itself or by another that said yes to the same value.
 * - A function that says no is right, as long as there is something left: `not` and `oneOf` rely on it.
 * - Where it isn't sure, it uses up all that is left.
 *
 * Nothing of a schema becomes code but numbers, and texts as JSON: the rest is a constant with a name.
 */
class CheckWriter {
  readonly #nodes: SchemaNodes;
  readonly #settings: CheckSettings;
  readonly #names = new Map<SchemaNode, string>();
  readonly #functions: string[] = [];
  readonly #constants: unknown[] = [];
  #variables = 0;

  constructor(nodes: SchemaNodes, settings: CheckSettings) {
    this.#nodes = nodes;
    this.#settings = settings;
  }

  compile(schema: JsonSchema): CompiledCheck {
    const root = this.#call(this.#nodes.of(schema), "value", String(this.#settings.limits.depth));
    const source = `"use strict";
let left = 0;
${this.#constants.map((_, i) => `const c${i} = constants[${i}];\n`).join("")}${this.#functions.join("\n")}
return (value) => { left = ${this.#settings.limits.bytes}; return ${root} && left >= 0; };`;
    return new Function("constants", "sizeOf", source)(this.#constants, sizeOf) as CompiledCheck;
  }

  /** An expression: whether a value fits a node. */
  #call(node: SchemaNode, value: string, levels: string): string {
    let name = this.#names.get(node);
    if (name === undefined) {
      name = `f${this.#names.size}`;
      if (this.#names.size >= MOST_FUNCTIONS) throw new NotCompiled();
      this.#names.set(node, name);
      // Two bytes are what the smallest container takes.
      this.#functions.push(`function ${name}(v, d) { if ((left -= 2) < 0) return false; let b = 0; ${this.#value(node, "v", "d")} return (left -= b) >= 0; }`);
    }
    return `${name}(${value}, ${levels})`;
  }

  #constant(value: unknown): string {
    const known = this.#constants.indexOf(value);
    return `c${known < 0 ? this.#constants.push(value) - 1 : known}`;
  }

  #variable(): string {
    this.#variables += 1;
    return `v${this.#variables}`;
  }

  /** Statements that return false where a value, inside of a container or at the root, doesn't fit, and add its size to `b`. */
  #inner(node: SchemaNode | undefined, value: string): string {
    if (node === undefined || node.schema === true) return anything(value, "d - 1");
    const isPlain = !node.reference && node.object === undefined && node.array === undefined && node.inPlace === undefined;
    return isPlain ? this.#value(node, value, "d - 1") : `if (!${this.#call(node, value, "d - 1")}) return false;`;
  }

  #value(node: SchemaNode, value: string, levels: string): string {
    const { schema } = node;
    if (schema === true) return anything(value, levels);
    if (schema === false) return "return false;";
    if (node.unevaluated) throw new NotCompiled();
    const referred = node.reference ? this.#reference(schema, value, levels) : "";
    if (node.reference && this.#nodes.index.dialect === "draft-07" && Object.hasOwn(schema, "$ref")) return referred;
    return [
      referred,
      this.#typed(node, schema, value, levels),
      node.fixed === undefined ? "" : `if (!(${this.#equals(value, node.fixed.value)})) return false;`,
      node.choices === undefined ? "" : `if (!(${this.#oneOf(value, node.choices)})) return false;`,
      node.inPlace === undefined ? "" : this.#inPlace(node.inPlace, value, levels),
    ].join(" ");
  }

  #reference(schema: SchemaObject, value: string, levels: string): string {
    const ref = own(schema, "$ref");
    const target = typeof ref === "string" ? this.#nodes.index.resolve(schema, ref) : undefined;
    if (target === undefined || own(schema, "$dynamicRef") !== undefined) throw new NotCompiled();
    return `if (!${this.#call(this.#nodes.of(target.schema), value, levels)}) return false;`;
  }

  /** A branch for each type that gets through, with the keywords that are about it. */
  #typed(node: SchemaNode, schema: SchemaObject, value: string, levels: string): string {
    const { types, number, text, object, array } = node;
    const rest = isSeenElsewhere(node) ? "" : anything(value, levels);
    if (rest === "" && [types, number, text, object, array].every((each) => each === undefined)) return "";
    const may = (type: string): boolean => types === undefined || (types.bits & bitsOf([type])) !== 0;
    const branches: string[] = [];
    if (may("string")) branches.push(`if (typeof ${value} === "string") { ${this.#text(text, value)} }`);
    if (may("number"))
      branches.push(
        `if (typeof ${value} === "number") { b += 4; ${types === undefined ? "" : failUnless(`Number.isFinite(${value})`)} ${this.#number(number, value)} }`,
      );
    else if (may("integer"))
      branches.push(
        `if (typeof ${value} === "number") { b += 4; ${failUnless(`Number.${this.#settings.exactIntegers ? "isSafeInteger" : "isInteger"}(${value})`)} ${this.#number(number, value)} }`,
      );
    if (may("boolean")) branches.push(`if (typeof ${value} === "boolean") { b += 5; }`);
    if (may("null")) branches.push(`if (${value} === null) { b += 5; }`);
    if (may("array")) branches.push(`if (Array.isArray(${value})) { ${array === undefined ? rest : this.#array(node, array, schema, value)} }`);
    if (may("object"))
      branches.push(
        `if (typeof ${value} === "object" && ${value} !== null && !Array.isArray(${value})) { ${object === undefined ? rest : this.#object(node, object, schema, value)} }`,
      );
    // What no type is of isn't JSON.
    branches.push(types === undefined ? UNSURE : "return false;");
    return branches.join(" else ");
  }

  #number(node: NumberNode | undefined, value: string): string {
    if (node === undefined) return "";
    const { minimum, maximum, above, below, step } = node;
    return [
      minimum === undefined ? "" : failUnless(`${value} >= ${minimum}`),
      maximum === undefined ? "" : failUnless(`${value} <= ${maximum}`),
      above === undefined ? "" : failUnless(`${value} > ${above}`),
      below === undefined ? "" : failUnless(`${value} < ${below}`),
      step === undefined ? "" : failUnless(`${this.#constant(isMultipleOf)}(${value}, ${step})`),
    ].join(" ");
  }

  #text(node: TextNode | undefined, value: string): string {
    const size = `b += ${value}.length + 3;`;
    if (node === undefined) return size;
    const { min, max, format, pattern } = node;
    const fewer = this.#constant(hasFewer);
    return [
      size,
      // A text of one character has a length, and one of no more UTF-16 units than characters are allowed isn't too long.
      min === 0 ? "" : min === 1 ? failUnless(`${value} !== ""`) : `if (${fewer}(${value}, ${min})) return false;`,
      max === Number.POSITIVE_INFINITY ? "" : failUnless(`${value}.length <= ${max} || ${fewer}(${value}, ${max + 1})`),
      pattern === undefined && format === undefined ? "" : WITHIN_LIMIT,
      format === undefined || !this.#settings.formats ? "" : failUnless(`${this.#constant(format.check)}(${value})`),
      pattern === undefined ? "" : failUnless(`${this.#constant(pattern.matcher())}.test(${value})`),
    ].join(" ");
  }

  #oneOf(value: string, { values, has }: Choices): string {
    return values.length <= FEW_VALUES && values.length > 0 && values.every((each) => typeof each === "string")
      ? values.map((each) => `${value} === ${JSON.stringify(each)}`).join(" || ")
      : `${this.#constant(has)}(${value})`;
  }

  #equals(value: string, fixed: unknown): string {
    return this.#oneOf(value, choicesOf([fixed]));
  }

  #object(node: SchemaNode, object: ObjectNode, schema: SchemaObject, value: string): string {
    const { declared, members, requiredElsewhere, additional, patterns } = object;
    const always = members.filter(({ required }) => required);
    const parts = [TOO_DEEP];
    const isClosed = additional?.schema === false && patterns.length === 0;
    const count = this.#variable();
    if (isClosed) parts.push(`let ${count} = ${always.length};`);
    parts.push(`b += ${always.reduce((bytes, { key }) => bytes + key.length + 4, 0)};`);
    for (const { key, node: inner, required } of members) {
      const member = this.#variable();
      parts.push(`const ${member} = ${this.#member(value, key)};`);
      if (required) parts.push(`if (${member} === undefined) return false; ${this.#inner(inner, member)}`);
      else parts.push(`if (${member} !== undefined) { ${isClosed ? `${count}++; ` : ""}b += ${key.length + 4}; ${this.#inner(inner, member)} }`);
    }
    for (const key of requiredElsewhere) parts.push(`if (${this.#member(value, key)} === undefined) return false;`);
    if (isClosed) {
      // As many as were seen: there are no others. Else they are looked at, since there may be some whose value is undefined.
      parts.push(
        `for (const key in ${value}) ${count}--;`,
        `if (${count} !== 0 && ${this.#constant(hasOthers)}(${value}, ${this.#constant(declared)})) return false;`,
      );
    } else if (!isSeenElsewhere(node) || !isOpen(object)) parts.push(this.#others(object, value));
    if (object.counts) parts.push(this.#counts(schema, value));
    if (object.dependencies) parts.push(this.#dependencies(schema, value));
    return parts.join(" ");
  }

  /** A member that is an own one. */
  #member(value: string, key: string): string {
    return INHERITED.has(key) ? `${this.#constant(own)}(${value}, ${JSON.stringify(key)})` : `${value}[${JSON.stringify(key)}]`;
  }

  /** The members that `properties` doesn't declare, and those that a pattern is about. */
  #others(object: ObjectNode, value: string): string {
    const { declared, additional, patterns } = object;
    const [key, member, known] = [this.#variable(), this.#variable(), this.#variable()];
    const isDeclared = declared.size === 0 ? "false" : `${this.#constant(declared)}.has(${key})`;
    const matched = patterns.map(({ matcher, node }) => `if (${this.#constant(matcher())}.test(${key})) { ${known} = true; ${this.#inner(node, member)} }`);
    // Inherited ones that are enumerable don't come from JSON, and are no matter where members are only counted.
    const each = isOpen(object) ? `in ${value}` : `of Object.keys(${value})`;
    return `for (const ${key} ${each}) {
      let ${known} = ${isDeclared};
      ${patterns.length === 0 ? `if (${known}) continue;` : ""}
      const ${member} = ${value}[${key}];
      if (${member} === undefined) continue;
      b += ${key}.length + 4;
      ${WITHIN_LIMIT}
      ${matched.join(" ")}
      if (!${known}) { ${this.#inner(additional, member)} }
    }`;
  }

  #counts(schema: SchemaObject, value: string): string {
    const [min, max, names] = [own(schema, "minProperties"), own(schema, "maxProperties"), own(schema, "propertyNames")];
    const [keys, key] = [this.#variable(), this.#variable()];
    return [
      `const ${keys} = Object.keys(${value}).filter((key) => ${value}[key] !== undefined);`,
      typeof min === "number" ? failUnless(`${keys}.length >= ${min}`) : "",
      typeof max === "number" ? failUnless(`${keys}.length <= ${max}`) : "",
      isSchema(names) ? `for (const ${key} of ${keys}) { if (!${this.#call(this.#nodes.of(names), key, "d")}) return false; }` : "",
    ].join(" ");
  }

  #dependencies(schema: SchemaObject, value: string): string {
    const keywords = this.#nodes.index.dialect === "draft-07" ? ["dependencies"] : ["dependentRequired", "dependentSchemas"];
    return keywords
      .flatMap((keyword) => Object.entries(tableOf(schema, keyword)))
      .map(([key, needs]) => {
        const then = Array.isArray(needs)
          ? needs.filter((each) => typeof each === "string").map((each) => `if (${this.#member(value, each)} === undefined) return false;`)
          : isSchema(needs)
            ? [`if (!${this.#call(this.#nodes.of(needs), value, "d")}) return false;`]
            : [];
        return `if (${this.#member(value, key)} !== undefined) { ${then.join(" ")} }`;
      })
      .join(" ");
  }

  #array(node: SchemaNode, { tuple, rest, contains, unique }: ArrayNode, schema: SchemaObject, value: string): string {
    const [min, max] = [own(schema, "minItems"), own(schema, "maxItems")];
    const [i, item] = [this.#variable(), this.#variable()];
    const parts = [
      TOO_DEEP,
      typeof min === "number" ? failUnless(`${value}.length >= ${min}`) : "",
      typeof max === "number" ? failUnless(`${value}.length <= ${max}`) : "",
    ];
    parts.push(`if (${value}.length > left) ${UNSURE}`);
    for (const [at, node] of tuple.entries()) {
      const each = this.#variable();
      parts.push(`if (${value}.length > ${at}) { const ${each} = ${value}[${at}]; ${this.#inner(node, each)} }`);
    }
    if (rest?.schema === false) parts.push(failUnless(`${value}.length <= ${tuple.length}`));
    else if (rest !== undefined || !isSeenElsewhere(node))
      parts.push(`for (let ${i} = ${tuple.length}; ${i} < ${value}.length; ${i}++) { const ${item} = ${value}[${i}]; ${this.#inner(rest, item)} }`);
    if (unique) parts.push(WITHIN_LIMIT, failUnless(`${this.#constant(findDuplicate)}(${value}) === undefined`));
    if (contains !== undefined) parts.push(this.#contains(contains, schema, value));
    return parts.join(" ");
  }

  #contains(wanted: SchemaNode, schema: SchemaObject, value: string): string {
    const draft07 = this.#nodes.index.dialect === "draft-07";
    const min = draft07 ? 1 : Number(own(schema, "minContains") ?? 1);
    const max = draft07 ? undefined : own(schema, "maxContains");
    const [found, item] = [this.#variable(), this.#variable()];
    return [
      `let ${found} = 0; for (const ${item} of ${value}) { if (${this.#call(wanted, item, "d - 1")}) ${found}++; }`,
      failUnless(`${found} >= ${min}`),
      max === undefined ? "" : failUnless(`${found} <= ${Number(max)}`),
    ].join(" ");
  }

  #inPlace({ all, unions, not, condition, consequence, alternative }: InPlaceNode, value: string, levels: string): string {
    const fits = (node: SchemaNode): string => this.#call(node, value, levels);
    const parts = all.map((node) => failUnless(fits(node)));
    for (const { keyword, branches } of unions) {
      const count = this.#variable();
      if (keyword === "anyOf") parts.push(failUnless(branches.map(fits).join(" || ") || "false"));
      else
        parts.push(
          `let ${count} = 0; ${branches.map((node) => `if (${fits(node)} && ++${count} > 1) return false;`).join(" ")} ${failUnless(`${count} === 1`)}`,
        );
    }
    if (not !== undefined) parts.push(`if (${fits(not)}) return false;`);
    if (condition !== undefined) {
      const then = consequence === undefined ? "" : failUnless(fits(consequence));
      const otherwise = alternative === undefined ? "" : failUnless(fits(alternative));
      parts.push(`if (${fits(condition)}) { ${then} } else { ${otherwise} }`);
    }
    return parts.join(" ");
  }
}

function failUnless(condition: string): string {
  return `if (!(${condition})) return false;`;
}

/** Statements for a value that may be anything: its size counts. */
function anything(value: string, levels: string): string {
  return `b += sizeOf(${value}, ${levels}, left); ${WITHIN_LIMIT}`;
}

/** Whether a value that fits was also looked at, all of it, by a schema that applies in place. */
function isSeenElsewhere({ reference, inPlace }: SchemaNode): boolean {
  return reference || (inPlace !== undefined && (inPlace.all.length > 0 || inPlace.unions.length > 0));
}

/** Whether nothing is asked of the members that `properties` doesn't declare. */
function isOpen({ additional, patterns }: ObjectNode): boolean {
  return patterns.length === 0 && (additional === undefined || additional.schema === true);
}

function hasOthers(value: Members, declared: ReadonlySet<string>): boolean {
  return Object.keys(value).some((key) => value[key] !== undefined && !declared.has(key));
}

function tableOf(schema: SchemaObject, keyword: string): Members {
  const table = own(schema, keyword);
  return isObject(table) ? table : {};
}
