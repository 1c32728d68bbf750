import type {
  Ask,
  Caller,
  Catalog,
  Command,
  ConfiguredPlugin,
  Diagnostic,
  IdentifyRequest,
  Listing,
  ListName,
  ListQuery,
  Logger,
  Maybe,
  Outcome,
  Plugin,
  PluginModule,
  Position,
  Prompt,
  Resource,
  ResourceTemplate,
  Route,
  ToolRef,
} from "@fettle/contract";
import type { FettleConfig } from "@fettle/spec-types";
import type { SourceDocument } from "./load/sourceDocument.js";
import type { Platform } from "./platform.js";

/** A config that was read and checked, with its place. */
export interface LoadedConfig {
  readonly config: FettleConfig;
  /** Absolute path of the config file; undefined for one made in code. */
  readonly file: string | undefined;
  /** Absolute folder that relative paths are relative to. */
  readonly folder: string;
  /** The text behind it, so that findings about plugins and folders have a place. */
  readonly document?: SourceDocument;
}

/** A plugin as given in code: a module, one configured with options, or a plugin object itself. */
export type PluginInput = ConfiguredPlugin | PluginModule | Plugin;

export interface KernelOptions {
  readonly config: LoadedConfig;
  readonly platform: Platform;
  /** Plugins given in code, after those of the config. */
  readonly plugins?: readonly PluginInput[];
  /** Refuse to start when any spec has an error. Default the config's `strict`, else false. */
  readonly strict?: boolean;
}

/** A function of something that a plugin contributes, about to be run. */
export interface ContributionRun {
  /** The prompt, resource or template, as `prompts`, `resources` and `resourceTemplates` gave it. */
  readonly of: Prompt | Resource | ResourceTemplate;
  /** What the log calls the function: `prompts.get`. */
  readonly hook: string;
  /** What errors call the whole, in words that may reach the client: `The prompt greet`. */
  readonly subject: string;
  /** Aborted when the caller cancels or goes away. */
  readonly signal?: AbortSignal;
  /** What the client sent, so that the log blanks it. */
  readonly args?: unknown;
  /**
   * What is wrong with what was given: it is logged with the plugin's name and thrown. Default nothing.
   * @param id stands in the log too, for the client to quote
   */
  readonly check?: (given: unknown, id: string) => Error | undefined;
  /** Receives the log lines of the function, besides the server's log. */
  readonly onLog?: Ask["onLog"];
}

/** One ring around a handler, outermost first. */
export interface Ring {
  readonly position: Position;
  readonly plugin: string;
}

/** How a call of a tool goes. */
export interface Explanation {
  readonly tool: ToolRef;
  readonly file: string;
  /** `git_log.handler.ts`, or the plugin that gives the handler. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly rings: readonly Ring[];
}

export interface ReloadResult {
  /** False when a spec that was served has an error now, or the kernel was closed: the old catalog stays. */
  readonly swapped: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that the diagnostics point into, by file, as this load read them. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Specs turned into calls. Made by `createKernel`. */
export interface Kernel {
  readonly config: LoadedConfig;
  /** Findings of the last load, errors first. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that diagnostics point into, by file. */
  readonly sources: ReadonlyMap<string, string>;
  catalog(): Catalog;
  /**
   * Who makes a request: the first plugin that knows, else the local user on stdio and an anonymous caller elsewhere.
   * @throws an internal_error `kernel/identify-failed` when a plugin that should know throws, gives nonsense or doesn't answer within 10 s
   */
  identify(request: IdentifyRequest): Promise<Caller>;
  /** One call through the whole pipeline. Never rejects. */
  call(ask: Ask): Maybe<Outcome>;
  /** The tools to list, by name. Each once: the highest stable version, unless a plugin says otherwise. */
  listTools(query: ListQuery): Maybe<readonly Listing[]>;
  /** Whether a plugin decides what is listed, so that lists may differ from caller to caller, and from what the catalog has. */
  readonly variesList: boolean;
  explain(name: string, version?: string): Explanation | undefined;
  /**
   * Loads all specs and handlers again and swaps the catalog at once. Calls in flight end on the old one. Reloads that are asked for meanwhile follow.
   * One that is aborted changes nothing, and those that follow don't wait for it.
   *
   * @throws the reason of the signal once that is aborted
   */
  reload(options?: { readonly signal?: AbortSignal }): Promise<ReloadResult>;
  /**
   * Calls `listener` when lists changed, with their names. A reload changes that of the tools when a spec came, went or differs; a handler alone is
   * not in it. Where `variesList` is true each reload counts. The returned function stops that.
   */
  onListChanged(listener: (lists: readonly ListName[]) => void): () => void;
  /** Whether a plugin may contribute such, now or later: what clients are told at their first contact. */
  readonly contributes: { readonly prompts: boolean; readonly resources: boolean };
  /** What the plugins contribute now; read anew each time. Of two prompts with one name, or resources with one URI, the first counts. */
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  /** The name of the plugin that contributes this, as `prompts`, `resources` and `resourceTemplates` gave it; undefined for anything else. */
  ownerOf(contribution: Prompt | Resource | ResourceTemplate): string | undefined;
  /**
   * Runs a function of a contribution as a call is run: for as long as a call may take by default (`timeout_ms` of the config), and until the
   * caller cancels. `run` gets a signal for both.
   *
   * @throws what the plugin throws as a tool error; `kernel/deadline-exceeded`, `kernel/cancelled`, and `kernel/layer-threw` for all else that
   * it throws, which the log has with plugin and hook
   * @example
   * const given = await kernel.contribute({ of: prompt, hook: "prompts.get", subject: "The prompt greet" }, (signal) => prompt.get({}, { caller, signal }));
   */
  contribute<T>(of: ContributionRun, run: (signal: AbortSignal, log: Logger) => Maybe<T>): Promise<T>;
  readonly routes: readonly Route[];
  readonly commands: readonly Command[];
  health(): Promise<{ readonly ready: boolean; readonly reasons: readonly string[] }>;
  /** Refuses new calls, waits up to `drainMs` (default 8,000) for those in flight, aborts the rest, disposes of the plugins in reverse order. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}
