import {
  type Call,
  definePlugin,
  type Host,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Layer,
  type Maybe,
  type Next,
  type Outcome,
  type PluginModule,
  type Tool,
} from "@fettle/contract";
import { type CheckOptions, type CheckResult, createSchemaEngine, isSchema, type Repair, type SchemaEngine } from "@fettle/schema";
import { argumentsRefused, MOST_TOLD } from "./argumentsRefused.js";
import { checkOutput } from "./checkOutput.js";
import { checkFields, type FieldCheck, type FieldsChecked } from "./fieldChecks.js";
import { parseField } from "./fieldPath.js";
import { Registry } from "./registry.js";
import type { ValidationOptions, ValidationSection } from "./settings.js";
import { unknownFields } from "./unknownFields.js";
import { callStopped, checksMisplaced, logFailure, validatorFailed } from "./validatorFailed.js";

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
 * compiled check and no promise; validators are asked after it, and cost a promise only where one of them answers later.
 *
 * @example
 * const { kernel } = await testKernel({ plugins: [validation({ validators: { iban: (value: string) => (isIban(value) ? undefined : "no IBAN") } })], tools });
 */
const validation: PluginModule<ValidationOptions> = definePlugin<ValidationOptions, ValidationSection>({
  name: "validation",
  options: {
    type: "object",
    additionalProperties: false,
    properties: {
      coerce: { ...coerce, default: "safe" },
      output: { enum: ["on", "off"], default: "on", description: "Whether results are checked against the spec's output." },
      validators: {
        type: "object",
        propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_-]*$" },
        description: "Validators that specs name: paths of modules relative to the config, or functions where the plugin is configured in code.",
      },
      field_timeout_ms: {
        type: "integer",
        minimum: 1,
        maximum: 86_400_000,
        default: 5_000,
        description: "How long one validator may take for one value, in milliseconds.",
      },
    },
  },
  create(options, { configDir }) {
    const registry = new Registry(options.validators ?? {}, configDir);
    return {
      name: "validation",
      position: "shape",
      section: { type: "object", additionalProperties: false, properties: { coerce, fields: registry.fieldsSchema } },
      checkTool: unknownFields,
      *modules({ section }) {
        for (const [field, validator] of Object.entries(section?.fields ?? {})) {
          const reference = registry.referenceOf(validator);
          if (reference !== undefined) yield { reference, path: ["validation", "fields", field] };
        }
      },
      setup: (host) => {
        const engine = createSchemaEngine();
        const outputs = createSchemaEngine(OUTPUT_LIMITS);
        return { layer: (tool) => tool && layerOf(tool, { options, registry, engine, outputs, host }) };
      },
    };
  },
});

export default validation;

interface Parts {
  readonly options: ValidationOptions;
  readonly registry: Registry;
  readonly engine: SchemaEngine;
  readonly outputs: SchemaEngine;
  readonly host: Host;
}

type Checked = Extract<CheckResult, { readonly valid: true }>;

function layerOf(tool: Tool<ValidationSection>, { options, registry, engine, outputs, host }: Parts): Layer<ValidationSection> {
  const { name, version } = tool;
  const ref = Object.freeze({ name, version });
  const { parameters, output } = tool.spec;
  const input = engine.compile(asSchema(parameters));
  const result = output === undefined || options.output === "off" ? undefined : outputs.compile(asSchema(output));
  const how: CheckOptions = { repair: (tool.section?.coerce ?? options.coerce) === "safe" };
  const checks = Object.entries(tool.section?.fields ?? {}).map(
    ([field, validator]): FieldCheck => ({ steps: parseField(field), validator, run: registry.functionOf(validator, tool) }),
  );

  const go = (call: Call<ValidationSection>, next: Next, { value, repairs }: Checked): Maybe<Outcome> => {
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

  if (!unknownFields(tool)[Symbol.iterator]().next().done) return () => checksMisplaced(ref);

  if (checks.length === 0) {
    return (call, next) => {
      const checked = input.check(call.args, how);
      return checked.valid ? go(call, next, checked) : argumentsRefused(ref, call.args, checked.problems);
    };
  }

  return (call, next) => {
    const checked = input.check(call.args, how);
    const known = checked.valid ? [] : checked.problems;
    const decide = (found: FieldsChecked): Maybe<Outcome> => {
      if (found.stopped) return callStopped(ref);
      if (found.failure) return validatorFailed(ref, found.failure, call, host);
      const { problems, passedOver } = found;
      if (passedOver) logFailure(ref, passedOver, call, host);
      const all = [...known, ...problems];
      return checked.valid && all.length === 0 ? go(call, next, checked) : argumentsRefused(ref, call.args, all, passedOver !== undefined);
    };
    const { clock } = host;
    const asked = checkFields({ checks, call, tool: ref, args: checked.value, known, limit: MOST_TOLD, clock, timeoutMs: options.field_timeout_ms });
    return asked instanceof Promise ? asked.then(decide) : decide(asked);
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
