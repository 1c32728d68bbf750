import type { JsonSchema } from "@fettle/contract";
import { fitsInside } from "../compileSchema.js";
import { defaultOf } from "../defaultOf.js";
import { isObject, isSchema, jsonTypeOf, own, type SchemaObject } from "../jsonType.js";
import { SchemaIndex } from "../schemaIndex.js";
import { dialectOf } from "../subschemas.js";
import { doubtfulDefaults } from "./certainDefaults.js";
import { docComment } from "./docComment.js";
import { literalType, propertyName } from "./literalType.js";
import { TypeNames } from "./typeNames.js";
import { atom, intersection, list, NEVER, type TypeText, union } from "./typeText.js";

/** How a schema is declared as types. */
export interface DeclareOptions {
  /** Name of the schema's own type. */
  readonly name: string;
  /**
   * `read`: of values that were checked, as a handler's arguments; what a schema leaves open must be looked at before it is used.
   * `written`: of values that will be checked, as a handler's result; what a schema leaves open takes anything.
   */
  readonly side: "read" | "written";
  /** Whether members with a default are always there, because validation fills them in. Default false. */
  readonly defaults?: boolean;
  /** Names that other declarations of the same file use; those of this schema are added. */
  readonly taken?: Set<string>;
  /** Said of the schema's own type where it has no description. */
  readonly about?: string;
}

/** Declarations for one schema. */
export interface DeclaredTypes {
  readonly text: string;
  /** The names among `Json` and `JsonObject` (of `@fettle/contract`) that the text uses. */
  readonly uses: ReadonlySet<"Json" | "JsonObject">;
}

type Basic = "null" | "boolean" | "number" | "string" | "array" | "object";
const ALL: readonly Basic[] = ["null", "boolean", "number", "string", "array", "object"];
const OBJECT_KEYWORDS = ["properties", "patternProperties", "additionalProperties"];
const ARRAY_KEYWORDS = ["items", "prefixItems"];
/** A longer list of values says less to a reader than its types, and slows the compiler. */
const MOST_VALUES = 1_000;
/** A longer tuple is told as a list. */
const LONGEST_TUPLE = 32;

/**
 * A JSON Schema as TypeScript types, for one that `admit` takes. Whatever is valid fits the types. What TypeScript can't say (bounds, patterns, `if`, `not`,
 * `dependentRequired`) is left open rather than told wrongly. The same schema gives the same text.
 *
 * @example declareTypes({ type: "object", required: ["to"], properties: { to: { type: "string" } } }, { name: "Args", side: "read" }).text
 */
export function declareTypes(schema: JsonSchema, options: DeclareOptions): DeclaredTypes {
  return new Declarations(schema, options).write();
}

class Declarations {
  readonly #root: JsonSchema;
  readonly #options: DeclareOptions;
  readonly #index: SchemaIndex;
  readonly #names: TypeNames;
  readonly #known = new Map<object, string>();
  readonly #waiting: { readonly name: string; readonly schema: JsonSchema }[] = [];
  readonly #uses = new Set<"Json" | "JsonObject">();
  readonly #doubt: string | undefined;
  readonly #fits: (schema: JsonSchema, value: unknown) => boolean;

  constructor(root: JsonSchema, options: DeclareOptions) {
    this.#root = root;
    this.#options = options;
    this.#index = new SchemaIndex(root, dialectOf(root) ?? "2020-12");
    const taken = options.taken ?? new Set();
    for (const name of [options.name, "Json", "JsonObject"]) taken.add(name);
    this.#names = new TypeNames(taken);
    this.#doubt = options.defaults === true ? doubtfulDefaults(root, this.#index) : undefined;
    this.#fits = fitsInside(root, this.#index.dialect);
  }

  write(): DeclaredTypes {
    const { name, about } = this.#options;
    if (isObject(this.#root)) this.#known.set(this.#root, name);
    this.#waiting.push({ name, schema: this.#root });
    const declared: string[] = [];
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const own = next.name === name;
      const bare = own && about !== undefined && docComment(next.schema, "") === "";
      const notes = [...(bare ? [about] : []), ...(own ? this.#doubtNote() : [])];
      declared.push(`${docComment(next.schema, "", notes)}export type ${next.name} = ${this.#typeOf(next.schema, ALL, "").text};\n`);
    }
    return { text: declared.join("\n"), uses: this.#uses };
  }

  #doubtNote(): readonly string[] {
    return this.#doubt === undefined ? [] : [`Members with a default may be absent: \`${this.#doubt}\` in the schema can keep defaults from being filled in.`];
  }

  /** @param allowed the basic types that keywords beside or around the schema leave */
  #typeOf(schema: JsonSchema, allowed: readonly Basic[], indent: string): TypeText {
    return this.#knownOf(schema, allowed, indent) ?? this.#openType(allowed);
  }

  /** What is known of the values of a schema beyond `allowed`; undefined where nothing is. */
  #knownOf(schema: JsonSchema, allowed: readonly Basic[], indent: string): TypeText | undefined {
    if (schema === true) return undefined;
    if (schema === false) return NEVER;
    const ref = own(schema, "$ref");
    const target = typeof ref === "string" ? this.#index.resolve(schema, ref)?.schema : undefined;
    const referred = target === undefined || typeof ref !== "string" ? [] : [this.#named(target, ref)];
    if (target !== undefined && this.#index.dialect === "draft-07") return referred[0];

    const types = basicsOf(schema, allowed);
    if (types.length === 0) return NEVER;
    const parts: TypeText[] = [];
    const values = valuesOf(schema)?.filter((value) => types.some((type) => type === jsonTypeOf(value)));
    if (values !== undefined && values.length <= MOST_VALUES) parts.push(union(values.map((value) => atom(literalType(value)))));
    else if (values === undefined && isShaped(schema, types, allowed)) parts.push(union(types.map((type) => this.#basic(type, schema, indent))));
    parts.push(...referred);
    for (const each of listOf(schema, "allOf")) {
      const known = this.#knownOf(each, types, indent);
      if (known !== undefined) parts.push(known);
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = listOf(schema, keyword).map((each) => this.#knownOf(each, types, indent));
      const known = branches.filter((each) => each !== undefined);
      // A branch of which nothing is known takes anything, and so does the whole.
      if (known.length > 0 && known.length === branches.length) parts.push(union(known));
    }
    const [first, ...others] = parts;
    if (first !== undefined) return intersection([first, ...others]);
    return types.length === allowed.length ? undefined : union(types.map((type) => this.#basic(type, {}, indent)));
  }

  #openType(allowed: readonly Basic[]): TypeText {
    return allowed.length === ALL.length ? this.#anything() : union(allowed.map((type) => this.#basic(type, {}, "")));
  }

  #anything(): TypeText {
    if (this.#options.side === "written") return atom("unknown");
    this.#uses.add("Json");
    return atom("Json");
  }

  #named(target: JsonSchema, ref: string): TypeText {
    if (typeof target === "boolean") return target ? this.#anything() : NEVER;
    let name = this.#known.get(target);
    if (name === undefined) {
      name = this.#names.of(ref);
      this.#known.set(target, name);
      this.#waiting.push({ name, schema: target });
    }
    return atom(name);
  }

  #basic(type: Basic, schema: SchemaObject, indent: string): TypeText {
    if (type === "array") return this.#array(schema, indent);
    if (type === "object") return this.#object(schema, indent);
    return atom(type);
  }

  #array(schema: SchemaObject, indent: string): TypeText {
    const items = own(schema, "items");
    const first = this.#index.dialect === "draft-07" ? listOf(schema, "items") : listOf(schema, "prefixItems");
    const restSchema = Array.isArray(items) ? own(schema, "additionalItems") : items;
    const rest = isSchema(restSchema) ? this.#typeOf(restSchema, ALL, indent) : this.#anything();
    if (first.length === 0) return rest.text === NEVER.text ? atom("readonly []") : list(rest);
    const most = own(schema, "maxItems");
    const length = typeof most === "number" ? Math.min(most, first.length) : first.length;
    const closed = rest.text === NEVER.text || (typeof most === "number" && most <= first.length);
    const places = first.slice(0, length).map((each) => this.#typeOf(each, ALL, indent));
    if (places.length > LONGEST_TUPLE) return list(union([...places, ...(closed ? [] : [rest])]));
    const least = own(schema, "minItems");
    const sure = typeof least === "number" ? least : 0;
    const members = places.map(({ text, binds }, i) => (i < sure ? text : `${binds === "atom" ? text : `(${text})`}?`));
    return { text: `readonly [${[...members, ...(closed ? [] : [`...${list(rest).text.replace(/^readonly /, "")}`])].join(", ")}]`, binds: "prefix" };
  }

  #object(schema: SchemaObject, indent: string): TypeText {
    const properties = own(schema, "properties");
    const known = isObject(properties) ? Object.entries(properties) : [];
    const required = new Set(listed(own(schema, "required")));
    const inner = `${indent}  `;
    const members = known.flatMap(([name, each]) => {
      if (!isSchema(each)) return [];
      const there = required.has(name) || this.#isFilled(each);
      return [`${docComment(each, inner, noteOf(each))}${inner}readonly ${propertyName(name)}${there ? "" : "?"}: ${this.#typeOf(each, ALL, inner).text};\n`];
    });
    for (const name of required)
      if (!known.some(([other]) => other === name)) members.push(`${inner}readonly ${propertyName(name)}: ${this.#anything().text};\n`);
    const others = this.#others(schema, members.length > 0, inner);
    if (members.length === 0 && others === undefined) return atom("{ readonly [key: string]: never }");
    if (members.length === 0 && others === "any object") {
      if (this.#options.side === "written") return atom("{ readonly [key: string]: any }");
      this.#uses.add("JsonObject");
      return atom("JsonObject");
    }
    const open = this.#options.side === "written" ? "any" : "unknown";
    const index = others === undefined ? [] : [`${inner}readonly [key: string]: ${others === "any object" ? open : others};\n`];
    return atom(`{\n${[...members, ...index].join("")}${indent}}`);
  }

  /** The type of members that aren't named: undefined where there are none. Beside named ones TypeScript can't say it, so those are left open. */
  #others(schema: SchemaObject, besides: boolean, indent: string): string | undefined {
    const additional = own(schema, "additionalProperties");
    const patterns = own(schema, "patternProperties");
    const byPattern = isObject(patterns) ? Object.values(patterns).filter(isSchema) : [];
    const closed = additional === false || (additional === undefined && own(schema, "unevaluatedProperties") === false && !addsMembers(schema));
    if (byPattern.length === 0 && closed) return undefined;
    if (besides || (!closed && !isObject(additional))) return "any object";
    const rest = isObject(additional) && isSchema(additional) ? [additional] : [];
    return union([...byPattern, ...rest].map((each) => this.#typeOf(each, ALL, indent))).text;
  }

  /** Whether validation puts a default in the place of this member. */
  #isFilled(schema: JsonSchema): boolean {
    if (this.#options.defaults !== true || this.#doubt !== undefined) return false;
    const fallback = defaultOf(this.#index, schema);
    return fallback !== undefined && this.#fits(schema, fallback);
  }
}

/** The basic types that a schema's `type` leaves of those allowed. */
function basicsOf(schema: SchemaObject, allowed: readonly Basic[]): readonly Basic[] {
  const type = own(schema, "type");
  if (type === undefined) return allowed;
  const named = new Set((Array.isArray(type) ? type : [type]).map((each) => (each === "integer" ? "number" : each)));
  return allowed.filter((each) => named.has(each));
}

/** Whether a schema says what its objects and arrays hold, of which nothing is known without. */
function isShaped(schema: SchemaObject, types: readonly Basic[], allowed: readonly Basic[]): boolean {
  const has = (keywords: readonly string[]): boolean => keywords.some((keyword) => Object.hasOwn(schema, keyword) && own(schema, keyword) !== true);
  const typed = own(schema, "type") !== undefined;
  // Without a type anything fits, whatever is said of objects.
  if (!typed && allowed.length === ALL.length) return false;
  if (types.includes("object") && (has(OBJECT_KEYWORDS) || (typed && has(["required"])))) return true;
  return types.includes("array") && has(ARRAY_KEYWORDS);
}

/** What an author should know of a schema whose types say less than was meant. */
function noteOf(schema: JsonSchema): readonly string[] {
  if (typeof schema === "boolean" || ["type", "$ref", "const", "enum", "allOf", "anyOf", "oneOf"].some((keyword) => Object.hasOwn(schema, keyword))) return [];
  const means = OBJECT_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))
    ? "object"
    : ARRAY_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))
      ? "array"
      : undefined;
  return means === undefined ? [] : [`The schema has no \`type\`, so any value fits. Write \`type: ${means}\` to have its members here.`];
}

/** Whether keywords beside `properties` may let in members of their own, which `unevaluatedProperties: false` then takes too. */
function addsMembers(schema: SchemaObject): boolean {
  return ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentSchemas"].some((keyword) => Object.hasOwn(schema, keyword));
}

function valuesOf(schema: SchemaObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [own(schema, "const")];
  const values = own(schema, "enum");
  return Array.isArray(values) ? values : undefined;
}

function listOf(schema: SchemaObject, keyword: string): readonly JsonSchema[] {
  const value = own(schema, keyword);
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function listed(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
