import type { Finding, ToolSpec } from "@fettle/contract";
import type { SchemaEngine } from "@fettle/schema";
import { deprecationDates } from "./deprecationDates.js";
import { effects } from "./effects.js";
import { errorCodes } from "./errorCodes.js";
import { exampleShape } from "./exampleShape.js";
import { fileName } from "./fileName.js";
import { latencyOrder } from "./latencyOrder.js";
import { paramsAgree } from "./paramsAgree.js";
import { schemasAdmitted } from "./schemasAdmitted.js";
import { toolName } from "./toolName.js";
import { unwrittenTexts } from "./unwrittenTexts.js";

/**
 * The rules of spec version 1 that JSON Schema can't say, for a spec that fits the meta-schema. They compile nothing, so that a server starts fast.
 * Rules over several tools are in `catalogRules.ts`; whether examples fit their schemas is in `examplesFit.ts`, since that compiles them.
 */
export function* toolRules(spec: ToolSpec, { file, engine }: { readonly file: string; readonly engine: SchemaEngine }): Iterable<Finding> {
  yield* toolName(spec);
  yield* fileName(spec, file);
  yield* schemasAdmitted(spec, engine);
  yield* paramsAgree(spec);
  yield* exampleShape(spec);
  yield* errorCodes(spec);
  yield* effects(spec);
  yield* latencyOrder(spec);
  yield* deprecationDates(spec);
  yield* unwrittenTexts(spec);
}
