/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. `undefined` members are absent ones: they never reach the wire. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON Schema, 2020-12 unless its `$schema` says draft-07. */
export type JsonSchema = JsonObject | boolean;

/** A value, or a promise of it: answering synchronously costs nothing. */
export type Maybe<T> = T | Promise<T>;

/** A place inside a JSON value: keys and array indexes from the root. */
export type JsonPath = readonly (string | number)[];
