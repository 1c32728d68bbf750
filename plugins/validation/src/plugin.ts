import { definePlugin, type Json, type JsonObject, type JsonSchema, type Layer, type Outcome, type PluginModule, type Tool } from "@fettle/contract";
import { type CheckOptions, createSchemaEngine, isSchema, type Repair, type SchemaEngine } from "@fettle/schema";
import { argumentsRefused } from "./argumentsRefused.js";
import { checkOutput } from "./checkOutput.js";

/** Options of the plugin. */
export interface ValidationOptions {
  /** `safe` mends what is certain; `off` refuses whatever doesn't fit. */
  readonly coerce: "off" | "safe";
  /** Whether results are checked against `output`. */
  readonly output: "on" | "off";
}

/** The `validation` section of a spec. */
export interface ValidationSection {
  readonly coerce?: "off" | "safe";
}

/** A result may be larger than the arguments that a model writes. */
const OUTPUT_LIMITS = { depth: 512, bytes: 64 * 1024 * 1024 };
const REPAIRS = "dev.fettle/repairs";

const coerce = {
  enum: ["off", "safe"],
  description: "safe (the default) mends arguments that can only have been meant in one way, and reports it; off refuses them.",
};

/**
 * Checks arguments before a tool runs, and its result after.
 *
 * Position shape: what is inside (idempotency, cache, the handler) sees mended arguments with their defaults. A call that needs nothing costs one
 * compiled check and no promise.
 */
const validation: PluginModule<ValidationOptions> = definePlugin<ValidationOptions, ValidationSection>({
  name: "validation",
  options: {
    type: "object",
    additionalProperties: false,
    properties: {
      coerce: { ...coerce, default: "safe" },
      output: { enum: ["on", "off"], default: "on", description: "Whether results are checked against the spec's output." },
    },
  },
  create: (options) => ({
    name: "validation",
    position: "shape",
    section: { type: "object", additionalProperties: false, properties: { coerce } },
    setup: () => {
      const engine = createSchemaEngine();
      const outputs = createSchemaEngine(OUTPUT_LIMITS);
      return { layer: (tool) => tool && layerOf(tool, options, engine, outputs) };
    },
  }),
});

export default validation;

function layerOf(tool: Tool<ValidationSection>, options: ValidationOptions, engine: SchemaEngine, outputs: SchemaEngine): Layer<ValidationSection> {
  const { name, version } = tool;
  const { parameters, output } = tool.spec;
  const input = engine.compile(asSchema(parameters));
  const result = output === undefined || options.output === "off" ? undefined : outputs.compile(asSchema(output));
  const how: CheckOptions = { repair: (tool.section?.coerce ?? options.coerce) === "safe" };

  return (call, next) => {
    const checked = input.check(call.args, how);
    if (!checked.valid) return argumentsRefused({ name, version }, call.args, checked.problems);
    const { value, repairs } = checked;
    const mended = repairs.length > 0;
    if (mended) call.note("repairs", repairs.map(toNote));
    const outcome = value === call.args || !isArguments(value) ? next() : next({ args: value });
    if (result === undefined && !mended) return outcome;
    const finish = (settled: Outcome): Outcome => {
      const fitting = result === undefined ? settled : checkOutput(tool, result, settled, call);
      return mended ? { ...fitting, meta: { ...fitting.meta, [REPAIRS]: repairs.map(toNote) } } : fitting;
    };
    return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
  };
}

/** Repairs as JSON: a member that is absent stays so. */
function toNote({ path, from, to }: Repair): JsonObject {
  return { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function isArguments(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema of a spec that was loaded is one: the kernel has admitted it. */
function asSchema(value: unknown): JsonSchema {
  return isSchema(value) ? value : true;
}
