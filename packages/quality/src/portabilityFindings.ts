import type { Finding, JsonSchema } from "@fettle/contract";
import { type Add, PORTABILITY_RULES } from "./portabilityRules.js";
import { constraintFindings } from "./portableConstraints.js";
import { shapeFindings } from "./portableShape.js";
import { isSchemaObject, own, visitSchemas } from "./visitSchemas.js";

/** What else is looked at. */
export interface PortabilityOptions {
  /** The tool's description as it is listed. */
  readonly description?: string;
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const PORTABLE_NAME = /^[a-z][a-z0-9_]{0,39}$/;

/**
 * What in a tool's schema, name or description some host or model provider refuses, drops or misreads. Pure, and fast: no host is asked.
 *
 * @param schema the JSON Schema of the tool's arguments
 * @param name the tool's name, where there is one
 * @returns findings with `rule` an id of {@link PORTABILITY_RULES}, `code` that id after `portability/`, and `path` inside the schema
 */
export function portabilityFindings(schema: JsonSchema, name?: string, options: PortabilityOptions = {}): readonly Finding[] {
  const findings: Finding[] = [];
  const add: Add = (rule, path, message, severity) => {
    const { severity: worst, why, hint } = PORTABILITY_RULES[rule];
    findings.push({ code: `portability/${rule}`, rule, severity: severity ?? worst, path, message: `${message}: ${why}`, hint });
  };
  if (name !== undefined) checkName(name, add);
  if (options.description !== undefined) checkDescription(options.description, add);
  if (!isSchemaObject(schema)) {
    add("root-object", [], "the root of the schema is a boolean");
    return findings;
  }
  shapeFindings(schema, add);
  for (const place of visitSchemas(schema)) constraintFindings(place, add);
  checkDialect(schema, add);
  return findings;
}

function checkName(name: string, add: Add): void {
  if (!NAME.test(name)) add("tool-name", [], `the tool name ${JSON.stringify(name.slice(0, 80))} isn't taken everywhere`);
  else if (!PORTABLE_NAME.test(name) || name.includes("__")) add("tool-name-portable", [], `the tool name ${name} isn't taken everywhere as it is`);
}

function checkDescription(description: string, add: Add): void {
  const length = [...description].length;
  if (description.trim() === "") add("description", [], "the description is empty");
  else if (length > 2048) add("description", [], `the description has ${length} characters`);
  else if (length > 1024) add("description", [], `the description has ${length} characters`, "warning");
}

function checkDialect(schema: object, add: Add): void {
  const dialect = own(schema, "$schema");
  if (dialect !== undefined && !/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(String(dialect)))
    add("dialect", ["$schema"], "$schema asks for another dialect than 2020-12");
}
