import { createHash } from "node:crypto";
import type { JsonSchema } from "@fettle/contract";
import { LRUCache } from "lru-cache";
import { type Admission, admitSchema } from "./admit.js";
import { compileSchema } from "./compileSchema.js";
import type { Dialect } from "./subschemas.js";
import type { CompiledSchema, EngineLimits, SchemaEngine } from "./types.js";

const LIMITS: EngineLimits = { depth: 64, bytes: 1024 * 1024, problems: 20, compileAfter: 32 * 1024 };
/** Schemas kept by content. Two or three for each of some thousand tools. */
const MOST_KEPT = 5_000;

interface Entry {
  readonly admission: Admission;
  compiled: CompiledSchema | undefined;
}

/**
 * Makes a schema engine: admission at load, lazy compilation, all problems of a value at once, safe repairs, defaults.
 *
 * @param limits bounds of the values that are checked; default 64 levels, 1 MiB, 20 problems told; and when schemas are compiled
 * @example
 * const engine = createSchemaEngine();
 * const result = engine.compile({ type: "object", properties: { n: { type: "integer" } } }).check({ n: "5" });
 * // { valid: true, value: { n: 5 }, repairs: [{ path: "n", from: "5", to: 5 }] }
 */
export function createSchemaEngine(limits: Partial<EngineLimits> = {}): SchemaEngine {
  const bounds: EngineLimits = { ...LIMITS, ...limits };
  const byIdentity = new WeakMap<object, Entry>();
  const byContent = new LRUCache<string, CompiledSchema>({ max: MOST_KEPT });

  function entryOf(schema: JsonSchema): Entry {
    if (typeof schema === "boolean") return { admission: admitSchema(schema), compiled: undefined };
    const same = byIdentity.get(schema);
    if (same !== undefined) return same;
    const entry: Entry = { admission: admitSchema(schema), compiled: undefined };
    byIdentity.set(schema, entry);
    return entry;
  }

  function compiledOf(schema: JsonSchema): CompiledSchema {
    const entry = entryOf(schema);
    const { dialect, findings } = entry.admission;
    if (dialect === undefined)
      throw new TypeError(`the schema is refused: ${findings.find((each) => each.severity === "error")?.message ?? "it can't be enforced"}`);
    entry.compiled ??= compiledOnce(schema, dialect);
    return entry.compiled;
  }

  function compiledOnce(schema: JsonSchema, dialect: Dialect): CompiledSchema {
    const key = createHash("sha256").update(JSON.stringify(schema)).digest("base64");
    const compiled = byContent.get(key) ?? compileSchema(schema, dialect, bounds);
    byContent.set(key, compiled);
    return compiled;
  }

  return {
    admit: (schema) => entryOf(schema).admission.findings,
    compile: (schema) => {
      let compiled: CompiledSchema | undefined;
      return {
        check(value, options) {
          compiled ??= compiledOf(schema);
          return compiled.check(value, options);
        },
      };
    },
  };
}
