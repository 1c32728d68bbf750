import type { Ask, Call, Caller, IdentifyRequest, Layer, Resolution, ResolveAsk, ResolveNext } from "./call.js";
import type { Capabilities } from "./capabilities.js";
import type { Clock } from "./clock.js";
import type { Command, Prompt, Resource, ResourceTemplate, Route } from "./contributions.js";
import type { Finding } from "./diagnostic.js";
import type { JsonObject, JsonPath, JsonSchema, Maybe } from "./json.js";
import type { Logger } from "./log.js";
import type { Outcome } from "./outcome.js";
import type { Handler, Tool, ToolRef } from "./tool.js";

/**
 * Where a plugin's layers stand, outermost to innermost. Within a position: config order.
 *
 * observe: analytics, telemetry · answer: recovery · protect: auth, limits · shape: validation · reuse: idempotency, cache · execute: timeout, retry
 */
export const POSITIONS = ["observe", "answer", "protect", "shape", "reuse", "execute"] as const;
export type Position = (typeof POSITIONS)[number];

/** Positions that are composed per tool version; the two others see every ask, also for a tool that doesn't exist. */
export type InnerPosition = Exclude<Position, "observe" | "answer">;

/** The set of tools that is served: frozen, replaced as a whole by a reload. */
export interface Catalog {
  /** All tools, by name and then by version, newest first. */
  readonly tools: readonly Tool[];
  /** The tool of that name and exact version; without a version the highest stable one. */
  get(name: string, version?: string): Tool | undefined;
  /** All versions of a tool, highest first. */
  versions(name: string): readonly Tool[];
}

/** A tool as it is listed. */
export interface Listing {
  readonly tool: Tool;
  /** The name it is listed under. Default the tool's. */
  readonly name?: string;
  /** First words of the composed description, for example a deprecation. */
  readonly lead?: string;
  /** Becomes the listed tool's `_meta`. */
  readonly meta?: JsonObject;
}

/** A list that clients can be told about: its members changed. Resource templates belong to "resources". */
export type ListName = "tools" | "prompts" | "resources";

/** Who asks for the list. */
export interface ListQuery {
  readonly caller: Caller;
}

/** What a plugin may use from set-up on. */
export interface Host {
  /** The catalog that is served now. */
  catalog(): Catalog;
  /** Makes a whole call, through all rings. `parent` is the call that makes it, so that observers count the child. */
  call(ask: Ask, parent?: Call): Maybe<Outcome>;
  /** Runs a tool's rings at these positions, and its handler, as part of `call`. */
  run(tool: ToolRef, args: JsonObject, call: Call, positions: readonly InnerPosition[]): Maybe<Outcome>;
  /** Offers a capability to other plugins. */
  provide<K extends keyof Capabilities>(name: K, implementation: Capabilities[K]): void;
  /** A capability that another plugin offers, or undefined: everybody works without it. */
  find<K extends keyof Capabilities>(name: K): Capabilities[K] | undefined;
  /**
   * Drops serialised lists and tells clients which lists changed: those named, else that of the tools.
   * @example host.invalidateLists("prompts", "resources");
   */
  invalidateLists(...lists: ListName[]): void;
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Logs as an error what somebody else's code threw while a call was made: its name, code, message and stack, with the strings of the call's
   * arguments (8 characters or longer) blanked. The id of the call and the tool are added.
   * @example host.logThrown(call, "the adapter of git_log 1.0.0 threw", error, { tool_error: codes.code("adapter-threw") });
   */
  logThrown(call: Call, message: string, error: unknown, fields?: JsonObject): void;
  /** A folder for this plugin's state, made on first use by the plugin. */
  readonly dataDir: string;
}

/** What `setup` returns: the running plugin. Every member is optional. */
export interface PluginRun<S = never> {
  /** Who calls. The first plugin that gives a caller decides; default is an anonymous one (stdio: the local user). */
  identify?(request: IdentifyRequest): Maybe<Caller | undefined>;
  /** Which version of which tool. */
  resolveTool?(ask: ResolveAsk, next: ResolveNext): Maybe<Resolution>;
  listTools?(query: ListQuery, next: () => Maybe<readonly Listing[]>): Maybe<readonly Listing[]>;
  /** Asked once when composing: without a tool at observe and answer, for each tool version elsewhere. Undefined leaves no ring. */
  layer?(tool?: Tool<S>): Layer<S> | undefined;
  /** The handler of a tool of this plugin's own specs, or of an adapted version. */
  handler?(tool: Tool<S>): Handler | undefined;
  /**
   * MCP prompts. This and the two below are read anew for each list and request: a plugin may change the array, or use a getter, and then calls
   * `host.invalidateLists`. One that may have some later has an empty array from the start: clients learn at their first contact what there may be.
   */
  readonly prompts?: readonly Prompt[];
  readonly resources?: readonly Resource[];
  readonly resourceTemplates?: readonly ResourceTemplate[];
  readonly routes?: readonly Route[];
  /** Feeds `/readyz`. */
  health?(): Maybe<{ readonly ready: boolean; readonly reason?: string }>;
  dispose?(): Maybe<void>;
}

/** A module with a function, which a plugin's section of a spec names. It is loaded as a handler is. */
export interface SectionModule {
  /** Path of the file, absolute or relative to the spec, perhaps with `#export`. Without one the default export is meant. */
  readonly reference: string;
  /** Where the spec names it: there a finding points that it can't be loaded. */
  readonly path: JsonPath;
}

/** A plugin, made by its module's `create`. Its section in a spec is called like the plugin. */
export interface Plugin<S = never> {
  /** kebab-case; also the key of its section and the namespace of its notes. */
  readonly name: string;
  readonly position: Position;
  /** JSON Schema of this plugin's section in a spec. */
  readonly section?: JsonSchema;
  /** Load time, pure, independent: nobody can stop another. */
  checkTool?(tool: Tool<S>): Iterable<Finding>;
  /** As checkTool, over the set. Findings name their tool. */
  checkCatalog?(tools: readonly Tool[]): Iterable<Finding & { readonly tool: ToolRef }>;
  /**
   * The modules that this plugin's section of a spec names. They are loaded with the handlers, and again when they change; a tool that lacks one
   * isn't served (`spec/module-missing`, `spec/module-failed`, `spec/module-not-a-function`). `layer` and `handler` find them in `tool.modules`.
   *
   * @example modules: ({ section }) => (section?.adapter === undefined ? [] : [{ reference: section.adapter, path: ["versioning", "adapter"] }]),
   */
  modules?(tool: Tool<S>): Iterable<SectionModule>;
  /** Tools of its own, known before set-up. `handler` of its run serves them. */
  readonly specs?: readonly { readonly file: URL; readonly name?: string }[];
  readonly commands?: readonly Command[];
  setup?(host: Host): Maybe<PluginRun<S>>;
}

/** What `create` may use: the config's surroundings, nothing global. */
export interface PluginEnv {
  /** The server's environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the config; relative paths in options are relative to it. */
  readonly configDir: string;
}

/** A plugin module with the options it will be created with. */
export interface ConfiguredPlugin {
  readonly module: PluginModule;
  readonly with: JsonObject;
}

/** The default export of a plugin module: call it with options to configure it in code. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds plugins of many option and section types
export interface PluginModule<O = any> {
  (options?: Partial<O>): ConfiguredPlugin;
  readonly name: string;
  /** JSON Schema of the options. The config's `with` is checked against it, and its defaults are filled in, before `create`. */
  readonly options: JsonSchema;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  create(options: O, env: PluginEnv): Plugin<any>;
}

/** What is given to {@link definePlugin}. */
export interface PluginDefinition<O, S> {
  readonly name: string;
  readonly options: JsonSchema;
  create(options: O, env: PluginEnv): Plugin<S>;
}

const OF_A_DEFINITION = ["name", "options", "create"];
/** What a plugin has beside its name. In a definition it would do nothing. */
const OF_A_PLUGIN: ReadonlySet<string> = new Set(["position", "section", "checkTool", "checkCatalog", "modules", "specs", "commands", "setup"]);
/** Members of the author's own, which `create` may use by `this`. */
const OWN = /^(_|x-)/;

/** Says what is wrong with a definition that a program without types gave, or one with a slip of the pen. */
function refuseStrays(definition: object): void {
  const keys = Object.keys(definition).filter((key) => !OF_A_DEFINITION.includes(key) && !OWN.test(key));
  const misplaced = keys.filter((key) => OF_A_PLUGIN.has(key));
  if (misplaced.length > 0)
    throw new TypeError(`definePlugin was given ${misplaced.join(", ")}, which does nothing there: create returns it, beside the name.`);
  const [unknown] = keys;
  if (unknown === undefined) return;
  const near = [...OF_A_DEFINITION, ...OF_A_PLUGIN].find((known) => !(known in definition) && isOneEdit(unknown.toLowerCase(), known.toLowerCase()));
  const meant = near === undefined ? "" : ` Did you mean ${near}?${OF_A_PLUGIN.has(near) ? " create returns it, beside the name." : ""}`;
  throw new TypeError(
    `definePlugin was given ${JSON.stringify(unknown)}, which does nothing.${meant} Known: ${OF_A_DEFINITION.join(", ")}. A member of your own starts with _ or x-.`,
  );
}

/** Whether two words differ in one letter at most, or in two that changed places. */
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (restA.length <= 1 && restB.length <= 1) || (restA.length === 2 && restA === [...restB].reverse().join(""));
}

/**
 * Defines a plugin module: its default export.
 *
 * @throws TypeError for a definition without `create`, or with a member that does nothing there: misspelt, or one of those that `create` returns.
 *   Members of your own, for use by `this`, start with `_` or `x-`
 * @example
 * export default definePlugin({ name: "quota", options: { type: "object", properties: { per_minute: { type: "integer", default: 60 } } },
 *   create: ({ per_minute }) => ({ name: "quota", position: "protect", setup: () => ({ layer: () => (call, next) => next() }) }) });
 */
// biome-ignore lint/suspicious/noExplicitAny: option types come from the author, who has them checked by the schema
export function definePlugin<O = any, S = any>(definition: PluginDefinition<O, S>): PluginModule<O> {
  refuseStrays(definition);
  if (typeof definition.create !== "function")
    throw new TypeError("definePlugin needs { name, options, create }, and create is missing: the function that makes the plugin from its options.");
  const module = ((options: Partial<O> = {}) => ({ module, with: options as JsonObject })) as PluginModule<O>;
  Object.defineProperties(module, {
    name: { value: definition.name },
    options: { value: definition.options },
    create: { value: definition.create.bind(definition) },
  });
  return module;
}
