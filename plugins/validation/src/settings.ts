import type { NamedValidators } from "./registry.js";

/** Options of the plugin. */
export interface ValidationOptions {
  /** `safe` mends what is certain; `off` refuses whatever doesn't fit. */
  readonly coerce: "off" | "safe";
  /** Whether results are checked against `output`. */
  readonly output: "on" | "off";
  /** Validators that specs name in `validation.fields`: functions, where the plugin is configured in code, or paths of modules relative to the config. */
  readonly validators?: NamedValidators;
  /** How long one validator may take for one value, in milliseconds. Default 5,000. */
  readonly field_timeout_ms: number;
}

/** The `validation` section of a spec. */
export interface ValidationSection {
  readonly coerce?: "off" | "safe";
  /** Validators by field: a path of a module relative to the spec, or a registered name. */
  readonly fields?: Readonly<Record<string, string>>;
}
