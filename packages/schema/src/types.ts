import type { Json, JsonPath, JsonSchema } from "@fettle/contract";

/** One thing that is wrong with a value. */
export interface Problem {
  /** Where in the value, from its root. For an unknown or missing key: the object that it is (not) in; the key itself is in `key`. */
  readonly path: JsonPath;
  /** The same in JS style, with the key: `items[0].quantity`. Empty for the whole value. */
  readonly place: string;
  /** The schema keyword that is not met: `required`, `type`, `enum`, ... */
  readonly keyword: string;
  /** One line as a model reads it: `items[0].quantity: expected integer, got string "2". Send 2 without quotes`. */
  readonly message: string;
  /** The sub-schema that holds the keyword. */
  readonly schema: JsonSchema;
  /** For `additionalProperties` and `unevaluatedProperties` the unknown key, for `required` the missing one. */
  readonly key?: string;
  /** The certain or likely right word: did-you-mean. */
  readonly suggestion?: string;
}

/** A change that made an almost valid value valid. */
export interface Repair {
  /** JS-style path: `items[0].quantity`. */
  readonly path: string;
  /** What was there; a renamed key by its name. Absent when the member was added. */
  readonly from?: Json;
  /** What is there now; a renamed key by its new name. Absent when the member was taken out. */
  readonly to?: Json;
}

/** How a value is checked. */
export interface CheckOptions {
  /** Try safe repairs when the value isn't valid. Default true. */
  readonly repair?: boolean;
  /** Fill in defaults. Default true. */
  readonly defaults?: boolean;
  /** Whether `format` is enforced or only annotates. Default true: enforced. */
  readonly formats?: boolean;
  /** Whether integers beyond those that a double holds exactly are refused: their digits were lost when they were parsed. Default true. */
  readonly exactIntegers?: boolean;
  /** What things are called in messages. Default `{ root: "the arguments", key: "argument" }`. */
  readonly words?: { readonly root: string; readonly key: string };
}

/** What a check gives. The caller's value is never changed: `value` is a copy wherever something differs. */
export type CheckResult =
  | { readonly valid: true; readonly value: Json; readonly repairs: readonly Repair[] }
  | { readonly valid: false; readonly value: Json; readonly problems: readonly Problem[] };

/** A schema ready to check values: compiled when first used. */
export interface CompiledSchema {
  check(value: unknown, options?: CheckOptions): CheckResult;
}

/** Why a schema can't be enforced, or not fully. */
export interface SchemaFinding {
  /** `error`: the schema is refused; `warning`: something in it isn't enforced correctly. */
  readonly severity: "error" | "warning";
  /** `schema/kebab`: invalid-keyword, remote-ref, dangling-ref, ref-loop, bad-pattern, unsafe-pattern, unsupported-keyword, too-deep ... */
  readonly code: string;
  /** Path inside the schema. */
  readonly path: JsonPath;
  readonly message: string;
  readonly hint?: string;
}

/** The one JSON Schema engine: kernel, plugins, quality and CLI share it. */
export interface SchemaEngine {
  /** Looks, without compiling, whether a schema can be enforced rightly. Bounded in time, whatever the schema. */
  admit(schema: JsonSchema): readonly SchemaFinding[];
  /**
   * A checker for a schema. Cheap: nothing is done before the first `check`, and compiled is what is used often. Cached by content.
   *
   * @throws TypeError (on `check`) for a schema that `admit` refuses
   */
  compile(schema: JsonSchema): CompiledSchema;
}

/** Bounds that are checked before anything expensive runs. */
export interface EngineLimits {
  /** Deepest nesting of a value. Default 64. */
  readonly depth: number;
  /** Largest value in bytes of JSON. Default 1 MiB. */
  readonly bytes: number;
  /** Most problems reported. Default 20. */
  readonly problems: number;
  /**
   * Bytes of values that a schema checks before it is compiled, until when it is interpreted with the same results: most schemas of a large catalog
   * check little, and compiling one takes as long as checking some thousand bytes. Default 32 KiB; 0 compiles for the first value.
   */
  readonly compileAfter: number;
}
