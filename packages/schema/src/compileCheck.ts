import type { JsonSchema } from "@fettle/contract";
import { CheckWriter, NotCompiled } from "./checkWriter.js";
import { sizeOf } from "./measure.js";
import type { ArrayNode, ObjectNode, SchemaNodes } from "./schemaNode.js";
import type { CheckSettings } from "./writer.js";

/** The check of a schema as JavaScript. It knows what surely fits; of anything else only the evaluator knows whether it does. */
export interface CompiledCheck {
  /** Whether a value surely fits and is within the limits. If not, it doesn't fit, is too large or too deep, or was too much to look at. */
  readonly fits: (value: unknown) => boolean;
  /** For objects and arrays, what passes over the members and items that surely fit. */
  readonly searches: ReadonlyMap<ObjectNode | ArrayNode, Search>;
  /** Begins a run of searches that look at no more than some bytes in all. When those are used up, they are sure of nothing. */
  readonly begin: (bytes: number) => void;
}

/**
 * The index of the first member (as its node lists them) or item, from `index` on, that isn't sure to fit. Where there is none: their number,
 * or more.
 */
export type Search = (value: unknown, index: number, levels: number) => number;

/** Compiles the check of a schema. It is sure of nothing where only the evaluator knows: `unevaluated*`, `$dynamicRef`, thousands of parts. */
export function compileCheck(nodes: SchemaNodes, schema: JsonSchema, settings: CheckSettings): CompiledCheck {
  try {
    const { source, constants, searched } = new CheckWriter(nodes, settings).write(schema);
    const { fits, begin, searches } = new Function("constants", "sizeOf", source)(constants, sizeOf);
    return { fits, begin, searches: new Map(searched.map((node, i) => [node, searches[i]])) };
  } catch (error) {
    if (error instanceof NotCompiled) return UNSURE;
    throw error;
  }
}

const UNSURE: CompiledCheck = { fits: () => false, searches: new Map(), begin: () => {} };
