import { needInput, resourceError, result } from "@fettle/contract";
import { type TestBench, type TestKernelOptions, type TestTool, testKernel } from "@fettle/testkit";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** What happened to calls that were still running when their caller left. */
export const aborted: string[] = [];
/** The names that calls of `wait` and `hang` were begun with. */
export const waiting: string[] = [];

/** Tools that give every kind of result and misbehave in every way a test needs. */
function fixtureTools(bench: () => TestBench): Readonly<Record<string, TestTool>> {
  return {
    echo: {
      handler: (args: object) => args,
      title: "Echo",
      output: { type: "object" },
      effects: { read_only: true, destructive: false, open_world: false },
    },
    seen: (args: object, ctx) => ({ args, key: ctx.idempotencyKey ?? null, tool: { ...ctx.tool }, caller: { ...ctx.caller }, state: ctx.inputState ?? null }),
    list: () => result({ data: [1, 2] }),
    text: () => "just text",
    media: () =>
      result({
        content: [
          { type: "text", text: "all kinds" },
          { type: "image", data: PIXEL, mimeType: "image/png" },
          { type: "audio", data: PIXEL, mimeType: "audio/wav", annotations: { audience: ["user"], priority: 0.5 } },
          { type: "resource_link", uri: "file:///notes.txt", name: "notes" },
          { type: "resource", resource: { uri: "file:///a.txt", text: "inside", mimeType: "text/plain" } },
        ],
        data: { kinds: 5 },
      }),
    spaced: () => result({ content: [{ type: "text", text: '{ "b": [1],\n  "a": 1 }' }], data: { a: 1, b: [1] } }),
    unsound: () => result({ content: [{ type: "image", data: "not base64!", mimeType: "image/png" }] }),
    missing: () => {
      throw resourceError("test/no-such-thing", {
        what: "There is no thing called x.",
        why: "It was never made.",
        fix: ["Make it.", "Call again."],
        details: { near: ["y"] },
      });
    },
    boom: () => {
      throw new Error("secret-of-the-handler at /etc/passwd");
    },
    wait: async (args: { name: string }, ctx) => {
      waiting.push(args.name);
      await new Promise<void>((resolve) => {
        ctx.signal.addEventListener("abort", () => {
          aborted.push(args.name);
          resolve();
        });
      });
      return { never: true };
    },
    // Ignores its signal: only the kernel, or the transport, can give an answer.
    hang: ({ name }: { name: string }) => {
      waiting.push(name);
      return new Promise<never>(() => {});
    },
    pause: async ({ ms }: { ms: number }) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { slept: ms };
    },
    aborted: () => ({ aborted: [...aborted], waiting: [...waiting] }),
    chatty: () => {
      console.log("this line would break the protocol");
      console.info("and this");
      process.stdout.write("and this too\n");
      return { quiet: true };
    },
    steps: async (_args, ctx) => {
      for (let step = 1; step <= 3; step += 1) {
        ctx.progress(step, 3, `step ${step}`);
        // The clients drop progress that they read in one go with the answer.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { done: true };
    },
    jumpy: async (_args, ctx) => {
      for (const done of [Number.NaN, 1, 1, 0.5, Number.POSITIVE_INFINITY, 2]) ctx.progress(done, Number.NaN);
      return { done: true };
    },
    logs: (_args, ctx) => {
      ctx.log.debug("for debugging");
      ctx.log.info("for information", { n: 1 });
      ctx.log.warn("a warning");
      return { logged: true };
    },
    confirm: (_args, ctx) => {
      if (ctx.inputs === undefined) {
        const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] };
        return needInput({ requests: { ok: { method: "elicitation/create", params: { message: "Are you sure?", requestedSchema } } }, state: "round-1" });
      }
      return { answer: ctx.inputs["ok"] ?? null, state: ctx.inputState ?? null };
    },
    old: {
      handler: () => result({ data: { old: true }, meta: { "dev.fettle/deprecation": { since: "2026-01-01", sunset: "2027-01-01", successor: "echo" } } }),
    },
    grow: async () => {
      const { kernel, memory } = bench();
      memory.add("grown", () => ({ grown: true }));
      return { swapped: (await kernel.reload()).swapped };
    },
  };
}

/** The real kernel with the fixture tools. */
export async function fixtureKernel(options: TestKernelOptions = {}): Promise<TestBench> {
  let bench: TestBench | undefined;
  const current = (): TestBench => {
    if (bench === undefined) throw new Error("The kernel isn't there yet.");
    return bench;
  };
  bench = await testKernel({
    clock: "real",
    server: { name: "fixture", version: "1.2.3", instructions: "For tests." },
    ...options,
    tools: { ...fixtureTools(current), ...options.tools },
  });
  return bench;
}
