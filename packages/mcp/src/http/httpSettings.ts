import type { JsonObject } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { createSchemaEngine } from "@fettle/schema";
import { v1 } from "@fettle/spec-types/schemas";
import { type HttpDefaults, type HttpSettings, httpDefaults } from "./httpDefaults.js";

/**
 * The `http` section of a kernel's config, with what is overridden in code, and defaults.
 *
 * @throws TypeError when an override isn't valid by the config's schema
 */
export function httpSettings(kernel: Kernel, overrides: HttpSettings | undefined): HttpDefaults {
  if (overrides !== undefined) {
    const checked = createSchemaEngine()
      .compile(v1.config as JsonObject)
      .check({ http: overrides }, { repair: false, defaults: false });
    if (!checked.valid)
      throw new TypeError(
        `The option http isn't valid: ${checked.problems.map(({ message }) => message.replace(/^unknown argument /, "unknown setting ")).join("; ")}.`,
      );
  }
  return httpDefaults({ ...kernel.config.config.http, ...overrides });
}
