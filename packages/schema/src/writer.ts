import type { JsonSchema } from "@fettle/contract";
import type { ArrayNode, ObjectNode, SchemaNode } from "./schemaNode.js";
import type { Dialect } from "./subschemas.js";
import type { EngineLimits } from "./types.js";

/** What a check is compiled for. */
export interface CheckSettings {
  readonly formats: boolean;
  readonly exactIntegers: boolean;
  readonly limits: Pick<EngineLimits, "depth" | "bytes">;
}

/** Writes the code of a check; see CheckWriter. An interface so that the files which write its parts don't import each other in a circle. */
export interface Writer {
  readonly settings: CheckSettings;
  readonly dialect: Dialect;
  /** What the function that is being written does where something doesn't fit. */
  fail: string;
  /** The name of a value in the code. */
  constant(value: unknown): string;
  /** A name that nothing else has. */
  variable(): string;
  /** A statement that ends the function where a condition isn't met. */
  unless(condition: string): string;
  /** A statement that ends the function where something holds which nothing can be said of. */
  unsureIf(condition: string): string;
  /** An expression: whether a value fits, where containers in it may nest `levels` deep. */
  call(node: SchemaNode, value: string, levels: string): string;
  /** The same for a schema that has no node yet, at the level of the function. */
  callSchema(schema: JsonSchema, value: string): string;
  /** Statements about a member or item: they end the function where it doesn't fit, and add its size to `b`. */
  inner(node: SchemaNode | undefined, value: string): string;
  /** Writes a function that searches the members or items of `v` from `i` on. Its name; see Search for what it returns. */
  search(node: ObjectNode | ArrayNode, write: () => string): string;
}
