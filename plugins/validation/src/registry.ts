import { isAbsolute, resolve } from "node:path";
import type { JsonObject, JsonSchema, Tool, Validator } from "@fettle/contract";
import { FIELD_PATTERN } from "./fieldPath.js";

/** Most fields of one tool that have validators. */
const MOST_FIELDS = 100;
/** A validator that is named by its module, relative to the spec. */
const MODULE = "^\\.{1,2}/.";

/** Validators by their names, as the option gives them: functions, or paths of modules relative to the config. */
// biome-ignore lint/suspicious/noExplicitAny: each takes values of another type
export type NamedValidators = Readonly<Record<string, Validator<any> | string>>;

/** Finds the validators that specs name. */
export class Registry {
  readonly #named: ReadonlyMap<string, Validator | string>;

  /**
   * @param configDir what paths are relative to
   * @throws TypeError for a validator that is neither a function nor a path
   */
  constructor(validators: NamedValidators, configDir: string) {
    this.#named = new Map(Object.entries(validators).map(([name, given]) => [name, validatorOf(name, given, configDir)]));
  }

  /** The schema of `fields`: an unknown name is found by the kernel, which doesn't serve the tool. */
  get fieldsSchema(): JsonSchema {
    const names = [...this.#named.keys()].sort();
    const path = "a path that begins with ./ or ../";
    const others: JsonObject =
      names.length > 0
        ? { enum: names }
        : { pattern: MODULE, description: `${path}; no validator has a name, which the option validators of the plugin would give it` };
    return {
      type: "object",
      description: "Validators by field.",
      maxProperties: MOST_FIELDS,
      propertyNames: { pattern: FIELD_PATTERN, description: 'the path of an argument, where [] means every item: iban, ship_to.zip, items[].iban, ["x y"]' },
      additionalProperties: {
        type: "string",
        description: `the validator of this field: ${path}, or the name of a registered one`,
        if: { pattern: "[./]" },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { pattern: MODULE, description: path },
        else: others,
      },
    };
  }

  /** The module of a validator; undefined for one that was given as a function. */
  referenceOf(validator: string): string | undefined {
    if (validator.startsWith(".")) return validator;
    const named = this.#named.get(validator);
    return typeof named === "string" ? named : undefined;
  }

  /** The function of a validator, once the modules of its tool are loaded. */
  functionOf(validator: string, { modules }: Pick<Tool, "modules">): Validator {
    const reference = this.referenceOf(validator);
    const found = reference === undefined ? this.#named.get(validator) : modules.get(reference);
    if (typeof found !== "function") throw new TypeError(`there is no validator ${validator}`);
    return found as Validator;
  }
}

function validatorOf(name: string, given: unknown, configDir: string): Validator | string {
  if (typeof given === "function" && !/^class\b/.test(Function.prototype.toString.call(given))) return given as Validator;
  if (typeof given === "string" && (/^\.{1,2}\//.test(given) || isAbsolute(given))) return resolve(configDir, given);
  throw new TypeError(`validators.${name} must be a function, or the path of a module: one that begins with ./, ../ or /`);
}
