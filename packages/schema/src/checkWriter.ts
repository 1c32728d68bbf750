import type { JsonSchema } from "@fettle/contract";
import { own, type SchemaObject } from "./jsonType.js";
import { type ArrayNode, type InPlaceNode, isSeenElsewhere, type ObjectNode, type SchemaNode, type SchemaNodes } from "./schemaNode.js";
import type { Dialect } from "./subschemas.js";
import { bitsOf } from "./typeBits.js";
import { writeArray, writeObject } from "./writeContainers.js";
import { writeChoices, writeFixed, writeNumber, writeText } from "./writeLeaves.js";
import type { CheckSettings, Writer } from "./writer.js";

/** Thrown at what only the evaluator knows. */
export class NotCompiled extends Error {}

/** What was written. */
export interface WrittenCheck {
  /** The body of a function of `constants` and `sizeOf`, which gives `fits`, `begin`, and `searches` in the order of `searched`. */
  readonly source: string;
  readonly constants: readonly unknown[];
  readonly searched: readonly (ObjectNode | ArrayNode)[];
}

/** A schema of more parts than anybody writes by hand is left to the evaluator. */
const MOST_FUNCTIONS = 1_500;
const RETURN_FALSE = "return false;";

/**
 * Writes one function for each schema that is about objects or arrays, or refers to others: `(v, d) => boolean`, whether `v` fits, where containers
 * may nest `d` levels deep. Plain values are checked where they stand. What is written has these rules:
 *
 * - `left` is what is left of the limit in bytes. Each function takes something from it when it begins, and the size of what it has seen in the end,
 *   so that whatever takes long uses it up. What is looked at twice may be taken twice.
 * - A function that says yes has taken the size of all of the value, by itself or by another that said yes to the same value.
 * - A function that says no is right, as long as there is something left: `not` and `oneOf` rely on it.
 * - Where it isn't sure, it uses up all that is left.
 *
 * Nothing of a schema becomes code but numbers, and texts as JSON: the rest is a constant with a name.
 */
export class CheckWriter implements Writer {
  readonly settings: CheckSettings;
  readonly dialect: Dialect;
  fail: string = RETURN_FALSE;
  readonly #nodes: SchemaNodes;
  readonly #names = new Map<SchemaNode, string>();
  readonly #functions: string[] = [];
  readonly #constants = new Map<unknown, string>();
  readonly #searched: (ObjectNode | ArrayNode)[] = [];
  #variables = 0;

  constructor(nodes: SchemaNodes, settings: CheckSettings) {
    this.#nodes = nodes;
    this.settings = settings;
    this.dialect = nodes.index.dialect;
  }

  write(schema: JsonSchema): WrittenCheck {
    const { depth, bytes } = this.settings.limits;
    const root = this.call(this.#nodes.of(schema), "value", String(depth));
    const constants = [...this.#constants];
    const source = `"use strict";
let left = 0;
${constants.map(([, name], i) => `const ${name} = constants[${i}];`).join("\n")}
${this.#functions.join("\n")}
return {
  fits: (value) => { left = ${bytes}; return ${root} && left >= 0; },
  begin: (bytes) => { left = bytes; },
  searches: [${this.#searched.map((_, i) => searchName(i)).join(", ")}],
};`;
    return { source, constants: constants.map(([value]) => value), searched: this.#searched };
  }

  constant(value: unknown): string {
    const name = this.#constants.get(value) ?? `c${this.#constants.size}`;
    this.#constants.set(value, name);
    return name;
  }

  variable(): string {
    this.#variables += 1;
    return `v${this.#variables}`;
  }

  unless(condition: string): string {
    return `if (!(${condition})) ${this.fail}`;
  }

  unsureIf(condition: string): string {
    return `if (${condition}) { left = -1; ${this.fail} }`;
  }

  call(node: SchemaNode, value: string, levels: string): string {
    let name = this.#names.get(node);
    if (name === undefined) {
      name = `f${this.#names.size}`;
      if (this.#names.size >= MOST_FUNCTIONS) throw new NotCompiled();
      this.#names.set(node, name);
      const body = this.#body(() => this.#value(node, "v", "d"));
      // Two bytes are what the smallest container takes.
      this.#functions.push(`function ${name}(v, d) { if ((left -= 2) < 0) return false; let b = 0; ${body} return (left -= b) >= 0; }`);
    }
    return `${name}(${value}, ${levels})`;
  }

  callSchema(schema: JsonSchema, value: string): string {
    return this.call(this.#nodes.of(schema), value, "d");
  }

  search(node: ObjectNode | ArrayNode, write: () => string): string {
    const name = searchName(this.#searched.push(node) - 1);
    this.#functions.push(`function ${name}(v, i, d) { let b = 0; ${this.#body(write)} }`);
    return name;
  }

  #body(write: () => string): string {
    const before = this.fail;
    this.fail = RETURN_FALSE;
    const body = write();
    this.fail = before;
    return body;
  }

  inner(node: SchemaNode | undefined, value: string): string {
    if (node === undefined) return this.#anything(value, "d - 1");
    const isPlain = !node.reference && node.object === undefined && node.array === undefined && node.inPlace === undefined;
    return isPlain ? this.#value(node, value, "d - 1") : this.unless(this.call(node, value, "d - 1"));
  }

  /** Statements about a value that may be anything: its size counts. */
  #anything(value: string, levels: string): string {
    return `b += sizeOf(${value}, ${levels}, left); ${this.unsureIf("b > left")}`;
  }

  #value(node: SchemaNode, value: string, levels: string): string {
    const { schema } = node;
    if (schema === true) return this.#anything(value, levels);
    if (schema === false) return this.fail;
    if (node.unevaluated) throw new NotCompiled();
    const referred = node.reference ? this.#reference(schema, value, levels) : "";
    if (node.reference && this.dialect === "draft-07" && Object.hasOwn(schema, "$ref")) return referred;
    return [
      referred,
      this.#typed(node, schema, value, levels),
      node.fixed === undefined ? "" : writeFixed(this, node.fixed.value, value),
      node.choices === undefined ? "" : writeChoices(this, node.choices, value),
      node.inPlace === undefined ? "" : this.#inPlace(node.inPlace, value, levels),
    ].join(" ");
  }

  #reference(schema: SchemaObject, value: string, levels: string): string {
    const ref = own(schema, "$ref");
    const target = typeof ref === "string" ? this.#nodes.index.resolve(schema, ref) : undefined;
    if (target === undefined || own(schema, "$dynamicRef") !== undefined) throw new NotCompiled();
    return this.unless(this.call(this.#nodes.of(target.schema), value, levels));
  }

  /** A branch for each type that gets through, with the keywords that are about it. */
  #typed(node: SchemaNode, schema: SchemaObject, value: string, levels: string): string {
    const { types, number, text, object, array } = node;
    const rest = isSeenElsewhere(node) ? "" : this.#anything(value, levels);
    if (rest === "" && [types, number, text, object, array].every((each) => each === undefined)) return "";
    const may = (type: string): boolean => types === undefined || (types.bits & bitsOf([type])) !== 0;
    const branches: string[] = [];
    if (may("string")) branches.push(`if (typeof ${value} === "string") { ${writeText(this, text, value)} }`);
    if (may("number") || may("integer")) {
      const kind = may("number") ? "isFinite" : this.settings.exactIntegers ? "isSafeInteger" : "isInteger";
      const check = types === undefined ? "" : this.unless(`Number.${kind}(${value})`);
      branches.push(`if (typeof ${value} === "number") { b += 4; ${check} ${writeNumber(this, number, value)} }`);
    }
    if (may("boolean")) branches.push(`if (typeof ${value} === "boolean") { b += 5; }`);
    if (may("null")) branches.push(`if (${value} === null) { b += 5; }`);
    if (may("array")) branches.push(`if (Array.isArray(${value})) { ${array === undefined ? rest : writeArray(this, node, array, schema, value)} }`);
    if (may("object")) {
      const members = object === undefined ? rest : writeObject(this, node, object, schema, value);
      branches.push(`if (typeof ${value} === "object" && ${value} !== null && !Array.isArray(${value})) { ${members} }`);
    }
    // What no type is of isn't JSON.
    branches.push(types === undefined ? this.unsureIf("true") : this.fail);
    return branches.join(" else ");
  }

  #inPlace({ all, unions, not, condition, consequence, alternative }: InPlaceNode, value: string, levels: string): string {
    const fits = (node: SchemaNode): string => this.call(node, value, levels);
    const parts = all.map((node) => this.unless(fits(node)));
    for (const { keyword, branches } of unions) {
      if (keyword === "anyOf") {
        parts.push(this.unless(branches.map(fits).join(" || ") || "false"));
        continue;
      }
      const count = this.variable();
      parts.push(`let ${count} = 0;`, ...branches.map((node) => `if (${fits(node)} && ++${count} > 1) ${this.fail}`), this.unless(`${count} === 1`));
    }
    if (not !== undefined) parts.push(`if (${fits(not)}) ${this.fail}`);
    if (condition !== undefined) {
      const then = consequence === undefined ? "" : this.unless(fits(consequence));
      const otherwise = alternative === undefined ? "" : this.unless(fits(alternative));
      parts.push(`if (${fits(condition)}) { ${then} } else { ${otherwise} }`);
    }
    return parts.join(" ");
  }
}

function searchName(i: number): string {
  return `s${i}`;
}
