// Calls without any server: a config, a plugin and a handler made in code.   node calls.mjs
import { fileURLToPath } from "node:url";
import { resourceError } from "fettle";
import { openKernel } from "fettle/embed";

const greetings = new Map([["en", "Hello"]]);

/** Serves the spec greet.tool.yaml with a handler that shares the program's state. */
const greeter = {
  name: "greeter",
  position: "execute",
  specs: [{ file: new URL("greet.tool.yaml", import.meta.url) }],
  setup: () => ({
    handler: () => (args) => {
      const greeting = greetings.get(args.language);
      if (!greeting) throw resourceError("greet/unknown-language", { what: `No greeting in ${args.language}.`, fix: `Use one of: ${[...greetings.keys()]}.` });
      return { text: `${greeting}, ${args.who}!` };
    },
  }),
};

/** Sees every call and what it ended in. */
const counter = {
  name: "counter",
  position: "observe",
  setup: () => ({
    layer: () => async (_call, next) => {
      const outcome = await next();
      console.log(`counted: ${outcome.tool?.name ?? "no tool"} ${outcome.kind}`);
      return outcome;
    },
  }),
};

const kernel = await openKernel(
  {
    config: { server: { name: "calls", version: "1.0.0" }, plugins: [{ use: "@fettle/plugin-validation" }] },
    folder: fileURLToPath(new URL(".", import.meta.url)),
  },
  { plugins: [greeter, counter], log: { debug() {}, info() {}, warn: console.error, error: console.error } },
);

const show = (outcome) => console.log(outcome.kind === "ok" ? outcome.data : outcome.error.what_went_wrong);

show(await kernel.call({ name: "greet", args: { who: "Ada", language: "en" } }));
show(await kernel.call({ name: "greet", args: { who: "Ada", language: "tlh" } }));
show(await kernel.call({ name: "greet", args: { whom: "Ada", language: "en" } }));
greetings.set("tlh", "nuqneH");
show(await kernel.call({ name: "greet", args: { who: "Ada", language: "tlh" }, signal: AbortSignal.timeout(1_000) }));

await kernel.close();
