import { definePlugin, type HandlerContext, type InputRequest, type JsonObject, needInput, type PluginModule } from "@fettle/contract";
import { type TestBench, type TestKernelOptions, type TestTool, testKernel } from "@fettle/testkit";
import { changingContributions } from "./changingContributions.js";

const form = (message: string, properties: JsonObject, required: readonly string[] = Object.keys(properties)): InputRequest => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties, required } },
});
const sampling = (text: string, more: JsonObject = {}): InputRequest => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 50, ...more },
});
const ROOTS: InputRequest = { method: "roots/list" };
const PERSON = form("Who are you?", { name: { type: "string", minLength: 1 }, age: { type: "integer", minimum: 0 } }, ["name"]);

/** What an answer said, for a result. */
const said = (ctx: Pick<HandlerContext, "inputs" | "inputState">): JsonObject => ({
  ...ctx.inputs,
  ...(ctx.inputState !== undefined && { state: ctx.inputState }),
});

/** Tools that ask in every way. */
const TOOLS: Readonly<Record<string, TestTool>> = {
  person: (_args, ctx) => (ctx.inputs?.["who"] ? said(ctx) : needInput({ requests: { who: PERSON }, state: "step 1" })),
  other: (_args, ctx) => (ctx.inputs?.["who"] ? said(ctx) : needInput({ requests: { who: PERSON }, state: "of other" })),
  stateless: (_args, ctx) => (ctx.inputs?.["who"] ? said(ctx) : needInput({ requests: { who: PERSON } })),
  model: (_args, ctx) => (ctx.inputs?.["text"] ? said(ctx) : needInput({ requests: { text: sampling("Say hello") } })),
  folders: (_args, ctx) => (ctx.inputs?.["roots"] ? said(ctx) : needInput({ requests: { roots: ROOTS } })),
  three: (_args, ctx) =>
    ["who", "text", "roots"].every((key) => ctx.inputs?.[key])
      ? said(ctx)
      : needInput({ requests: { who: PERSON, text: sampling("Say hello"), roots: ROOTS } }),
  rounds: (_args, ctx) => {
    if (ctx.inputs === undefined) return needInput({ requests: { name: form("Your name?", { name: { type: "string" } }) }, state: "[]" });
    const names: unknown[] = JSON.parse(ctx.inputState ?? "[]");
    ctx.progress(names.length + 1);
    names.push(contentOf(ctx.inputs["name"])?.["name"]);
    if (names.length < 3) return needInput({ requests: { name: form("Another?", { name: { type: "string" } }) }, state: JSON.stringify(names) });
    return { names: JSON.stringify(names) };
  },
  given: (_args, ctx) => ({ inputs: ctx.inputs !== undefined }),
  endless: () => needInput({ requests: { name: form("Again?", { name: { type: "string" } }) } }),
  visit: (_args, ctx) =>
    ctx.inputs?.["page"]
      ? said(ctx)
      : needInput({ requests: { page: { method: "elicitation/create", params: { mode: "url", message: "Sign in", url: "https://example.org/in" } } } }),
  can: (_args, { canAsk }) => ({
    form: canAsk("elicitation/create"),
    url: canAsk("elicitation/create", "url"),
    sampling: canAsk("sampling/createMessage"),
    roots: canAsk("roots/list"),
  }),
  hurried: { handler: (_args, ctx) => (ctx.inputs?.["who"] ? said(ctx) : needInput({ requests: { who: PERSON } })), timeout_ms: 100 },
  unenforceable: (_args, ctx) =>
    ctx.inputs?.["x"]
      ? said(ctx)
      : needInput({
          requests: {
            x: {
              method: "elicitation/create",
              params: { message: "?", requestedSchema: { type: "object", properties: { any: { type: "string", pattern: "(" } } } },
            },
          },
        }),
};

function contentOf(answer: JsonObject | undefined): JsonObject | undefined {
  return answer?.["content"] as JsonObject | undefined;
}

/** A prompt and resources that ask, and one that asks what can't be asked. */
const asking: PluginModule = definePlugin({
  name: "asking",
  options: {},
  create: () => ({
    name: "asking",
    position: "observe" as const,
    setup: () => ({
      prompts: [
        {
          name: "greet",
          get: (_args, { inputs, inputState }) =>
            inputs?.["who"]
              ? { messages: [{ role: "user" as const, content: { type: "text" as const, text: `${contentOf(inputs["who"])?.["name"]}, ${inputState}` } }] }
              : needInput({ requests: { who: PERSON }, state: "of greet" }),
        },
        { name: "broken", get: () => needInput({ requests: { who: { method: "elicitation/create", params: { message: "No schema" } } } }) },
      ],
      resources: [
        {
          uri: "test://asking",
          name: "asking",
          read: ({ inputs }) =>
            inputs?.["who"] ? [{ uri: "test://asking", text: `${contentOf(inputs["who"])?.["name"]}` }] : needInput({ requests: { who: PERSON } }),
        },
      ],
      resourceTemplates: [
        {
          uriTemplate: "test://asking/{id}",
          name: "asking-item",
          read: (uri, { id }, { inputs }) =>
            inputs?.["who"] ? [{ uri, text: `${id} ${contentOf(inputs["who"])?.["name"]}` }] : needInput({ requests: { who: PERSON } }),
        },
      ],
    }),
  }),
});

/** The real kernel with tools, prompts and resources that ask. */
export function questionsKernel(options: TestKernelOptions = {}): Promise<TestBench> {
  const { plugin, tools } = changingContributions();
  const plugins = [asking(), plugin(), ...(options.plugins ?? [])];
  return testKernel({ clock: "real", ...options, plugins, tools: { ...TOOLS, ...tools, ...options.tools } });
}
