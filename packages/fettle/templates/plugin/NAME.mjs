// Warns in the log of calls that take long. Change it into what should happen around calls.
import { definePlugin } from "fettle";

export default definePlugin({
  name: "__NAME__",
  // JSON Schema of what the config may say under `with`; defaults are filled in.
  options: {
    type: "object",
    additionalProperties: false,
    properties: { slow_ms: { type: "integer", minimum: 1, default: 1000, description: "Calls that take longer are told, in milliseconds." } },
  },
  create: ({ slow_ms }) => ({
    name: "__NAME__",
    // Where the ring stands, outermost to innermost: observe (sees every call), answer (improves errors), protect (refuses), shape (changes arguments
    // and results), reuse (answers without running), execute (how the handler is run).
    position: "execute",
    // Once, when the server starts. State that calls share lives here.
    setup: ({ clock, log }) => ({
      // For each tool: the ring around its handler, or undefined for none.
      layer: (tool) => async (call, next) => {
        const began = clock.now();
        const outcome = await next();
        const ms = clock.now() - began;
        // Observers read it as outcome.notes["__NAME__.ms"].
        call.note("ms", ms);
        if (ms > slow_ms) log.warn(`${tool.name} took ${ms} ms`, { tool: tool.name, ms });
        return outcome;
      },
    }),
  }),
});
