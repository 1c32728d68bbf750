import {
  type Ask,
  type Caller,
  type Diagnostic,
  definePlugin,
  type JsonObject,
  type Logger,
  type Notes,
  type Outcome,
  type ToolError,
  type ToolRef,
} from "@fettle/contract";
import { configFromCode, createKernel, type Kernel, type LoadedConfig, type PluginInput } from "@fettle/kernel";
import { nodePlatform } from "@fettle/kernel/node";
import { type FakeClock, fakeClock } from "./fakeClock.js";
import { layered, type MemoryTools, memoryTools, type TestTool } from "./memoryTools.js";

/** An outcome with every member at hand, so that a test can look at `outcome.error.error_code` without narrowing first. */
export interface TestOutcome {
  readonly kind: Outcome["kind"];
  readonly tool?: ToolRef;
  readonly meta?: JsonObject;
  readonly notes: Notes;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it expects to be there
  readonly data?: any;
  readonly content?: Extract<Outcome, { kind: "ok" }>["content"];
  /** Reading it off an outcome that is no error fails the test with what came in its place. */
  readonly error: ToolError;
  readonly requests?: Extract<Outcome, { kind: "input_required" }>["requests"];
  readonly state?: string;
}

/** The real kernel with a shorter way to call it. */
export interface TestKernel extends Omit<Kernel, "call"> {
  call(ask: Ask): Outcome | Promise<Outcome>;
  call(name: string, args?: JsonObject, options?: Omit<Partial<Ask>, "name" | "args">): Promise<TestOutcome>;
}

export interface TestKernelOptions {
  /** Plugins in config order. */
  readonly plugins?: readonly PluginInput[];
  /** Tools in memory: `{ echo: ({ text }) => ({ text }) }`. */
  readonly tools?: Readonly<Record<string, TestTool>>;
  /** Folders of real specs, beside those in memory. */
  readonly folders?: readonly string[];
  readonly strict?: boolean;
  readonly timeout_ms?: number;
  readonly server?: { readonly name?: string; readonly version?: string; readonly instructions?: string };
  readonly wire?: LoadedConfig["config"]["wire"];
  /** Default none: a test's environment holds what the test says. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The caller of calls that name none. */
  readonly caller?: Caller;
  /** `real` for tests that wait for real time. Default a clock that the test turns. */
  readonly clock?: FakeClock | "real";
}

/** What an observer saw of a call. */
export type Observed = Outcome;

export interface TestBench {
  readonly kernel: TestKernel;
  readonly clock: FakeClock;
  /** The outcome of every call, as the outermost observer sees it. */
  readonly observed: readonly Observed[];
  /** What was logged. */
  readonly logs: readonly { readonly level: keyof Logger; readonly message: string; readonly fields: JsonObject }[];
  readonly diagnostics: readonly Diagnostic[];
  /** The tools in memory, for tests that change them and reload. */
  readonly memory: MemoryTools;
}

/**
 * The real kernel with tools in memory and a clock that the test turns.
 *
 * @throws LoadFailed as createKernel does
 * @example
 * const { kernel, clock, observed } = await testKernel({ plugins: [quota({ per_minute: 2 })], tools: { echo: ({ text }) => ({ text }) } });
 * const outcome = await kernel.call("echo", { text: "a" });
 */
export async function testKernel(options: TestKernelOptions = {}): Promise<TestBench> {
  const clock = options.clock === "real" || options.clock === undefined ? fakeClock() : options.clock;
  const memory = memoryTools(options.tools ?? {});
  const observed: Observed[] = [];
  const logs: { level: keyof Logger; message: string; fields: JsonObject }[] = [];
  const keep =
    (level: keyof Logger) =>
    (message: string, fields: JsonObject = {}): void => {
      logs.push({ level, message, fields });
    };
  const log: Logger = { debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") };
  const machine = nodePlatform({ log, env: options.env ?? {}, typescript: "native" });
  const platform = { ...machine, ...layered(memory, machine), ...(options.clock !== "real" && { clock }) };
  const { server, wire, timeout_ms, strict, folders = [] } = options;
  const config = configFromCode(
    { tools: [memory.folder, ...folders], ...(server && { server }), ...(wire && { wire }), ...(timeout_ms !== undefined && { timeout_ms }) },
    process.cwd(),
  );
  const real = await createKernel({ config, platform, plugins: [observerOf(observed), ...(options.plugins ?? [])], ...(strict !== undefined && { strict }) });

  const call = (nameOrAsk: string | Ask, args: JsonObject = {}, more: Omit<Partial<Ask>, "name" | "args"> = {}): unknown => {
    const caller = options.caller && { caller: options.caller };
    if (typeof nameOrAsk !== "string") return real.call({ ...caller, ...nameOrAsk });
    return Promise.resolve(real.call({ name: nameOrAsk, args, ...caller, ...more })).then((outcome): TestOutcome => forTest(outcome));
  };
  // Getters of the kernel (diagnostics, sources) stay live behind the prototype.
  const kernel = Object.assign(Object.create(real) as TestKernel, { call: call as TestKernel["call"] });
  return { kernel, clock, observed, logs, diagnostics: real.diagnostics, memory };
}

/** Collects what an outermost observer sees. */
function observerOf(observed: Observed[]): PluginInput {
  return definePlugin({
    name: "test-observer",
    options: {},
    create: () => ({
      name: "test-observer",
      position: "observe",
      setup: () => ({
        layer: () => (_call, next) => {
          const keep = (outcome: Outcome): Outcome => {
            observed.push(outcome);
            return outcome;
          };
          const outcome = next();
          return outcome instanceof Promise ? outcome.then(keep) : keep(outcome);
        },
      }),
    }),
  })();
}

function forTest(outcome: Outcome): TestOutcome {
  if (outcome.kind === "error") return outcome;
  return Object.defineProperty({ ...outcome }, "error", {
    get: () => {
      throw new Error(`expected an error, but the call ended in ${outcome.kind}: ${JSON.stringify(outcome).slice(0, 500)}`);
    },
    enumerable: false,
  }) as unknown as TestOutcome;
}
