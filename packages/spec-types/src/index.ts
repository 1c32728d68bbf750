// Generated from spec/v1 by scripts/generate.mjs. Don't edit: change the schema and run `npm run generate`.

/**
 * One of the seven error types.
 */
export type ErrorType = "input_error" | "state_error" | "resource_error" | "permission_error" | "rate_limit_error" | "external_error" | "internal_error";
/**
 * The error's code, best as namespace/kebab.
 */
export type ErrorCode = string;

/**
 * A Fettle tool spec, version 1. The prose and the rule ids ($comment) are in README.md beside this file.
 */
export interface ToolSpec {
  /**
   * The version of the spec format. It picks the meta-schema.
   */
  spec_version: 1;
  /**
   * The tool's name as the model calls it: a letter or underscore, then letters, digits, _ and -; at most 64 characters.
   */
  name: string;
  /**
   * The tool's version by semver 2.0.0, in quotes: "2.0.0".
   */
  version: string;
  /**
   * A name for people, shown by hosts.
   */
  title?: string;
  /**
   * One line for lists, at most 100 characters.
   */
  description_short: string;
  /**
   * What the tool does, its limits and side effects, what comes back.
   */
  description_detailed: string;
  /**
   * The situations this tool is for.
   */
  when_to_use: string;
  /**
   * The situations it is not for, with what to use instead (tool names in backticks), or that there is no alternative.
   */
  when_not_to_use: string;
  /**
   * JSON Schema 2020-12 of the arguments.
   */
  parameters: {
    /**
     * The root of the arguments is an object.
     */
    type: "object";
    [k: string]: unknown;
  };
  /**
   * JSON Schema 2020-12 of the result's data.
   */
  output?: {
    /**
     * The root of the result is an object.
     */
    type: "object";
    [k: string]: unknown;
  };
  /**
   * Derived from parameters.required; when written it must agree.
   *
   * Items: The name of a required parameter.
   */
  required_params?: string[];
  /**
   * Derived: the properties that aren't required; when written it must agree.
   *
   * Items: The name of an optional parameter.
   */
  optional_params?: string[];
  /**
   * What must hold or be known before the call.
   *
   * Items: A sentence, with tool names in backticks.
   */
  prerequisites: string[];
  /**
   * Names of tools that are used with this one or instead of it.
   *
   * Items: The name of a tool.
   */
  related_tools: string[];
  /**
   * Sequences of calls that belong together.
   *
   * Items: Two or more tool names joined by arrows: a -> b -> c.
   */
  common_workflows: string[];
  /**
   * Example calls, the basis of docs, search and verification.
   */
  examples: Example[];
  /**
   * A module that prepares a scratch environment for the examples, relative to this file.
   */
  examples_setup?: string;
  /**
   * The errors that this tool is known to give, and what to do about each.
   */
  common_errors: CommonError[];
  performance: Performance;
  effects?: Effects;
  /**
   * One word for the group of tools it belongs to.
   */
  category: string;
  /**
   * Words to filter by.
   *
   * Items: A tag.
   */
  tags: string[];
  deprecation?: Deprecation;
  /**
   * Path of the handler module relative to this file, optionally with #export. Default: the sibling NAME.handler.ts, .js or .mjs.
   */
  handler?: string;
  /**
   * Time limit of one call in milliseconds. Default: the config's timeout_ms (60,000).
   */
  timeout_ms?: number;
  /**
   * Section of the plugin validation: custom validators and repairs. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  validation?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin recovery: how errors are enriched and rendered. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  recovery?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin idempotency: keys, leases and what is stored. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  idempotency?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin versioning: aliases, adapters, pins. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  versioning?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin discovery: how the tool is listed and found. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  discovery?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin analytics: what is recorded of its calls. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  analytics?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin telemetry: spans and metrics. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  telemetry?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin docs: how it is documented. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  docs?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin quality: rules for this tool. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  quality?: {
    [k: string]: unknown;
  };
  /**
   * Section of the plugin dashboard: how it is shown. Its keys are checked by the plugin's own schema when the plugin is on.
   */
  dashboard?: {
    [k: string]: unknown;
  };
}
/**
 * One example call.
 */
export interface Example {
  /**
   * What the example shows.
   */
  description: string;
  /**
   * What kind of call it is.
   */
  category: "basic" | "advanced" | "edge_case" | "negative";
  /**
   * The arguments of the call.
   */
  input: {
    [k: string]: unknown;
  };
  /**
   * What comes back; compared as verify says. Not on a negative example.
   */
  output?:
    | {
        [k: string]: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  error?: ExampleError;
  /**
   * When one would make this call, or what to mind.
   */
  context?: string;
  /**
   * How output is compared. Default subset: every key given must be equal, lists in order.
   */
  verify?: "exact" | "subset" | "schema" | "none";
}
/**
 * The error that a negative example ends in.
 */
export interface ExampleError {
  error_type: ErrorType;
  error_code?: ErrorCode;
}
/**
 * One error that the tool is known to give.
 */
export interface CommonError {
  error_type: ErrorType;
  error_code: ErrorCode;
  /**
   * What the caller sees.
   */
  symptom: string;
  /**
   * Why it happens.
   */
  cause: string;
  /**
   * What the caller should do, as an instruction.
   */
  solution: string;
  /**
   * Tools to use instead.
   *
   * Items: The name of a tool.
   */
  alternative_tools?: string[];
  /**
   * Where to read more.
   *
   * Items: A link or a path.
   */
  related_docs?: string[];
  /**
   * When a retry makes sense, in seconds.
   */
  retry_after_seconds?: number;
}
/**
 * What a call costs, and what a second one does.
 */
export interface Performance {
  /**
   * Usual time of a call in milliseconds.
   */
  typical_latency_ms: number;
  /**
   * Longest time to expect in milliseconds; not less than the typical one.
   */
  max_latency_ms: number;
  /**
   * Tokens that a usual result costs.
   */
  token_cost_estimate: number;
  /**
   * The same call twice has the effect of one.
   */
  is_idempotent: boolean;
  /**
   * The effect can be undone by another call.
   */
  is_reversible: boolean;
}
/**
 * What the call does to the world; the MCP annotations come from here.
 */
export interface Effects {
  /**
   * It changes nothing.
   */
  read_only?: boolean;
  /**
   * It may delete or overwrite.
   */
  destructive?: boolean;
  /**
   * It reaches things outside of a closed domain, like the web.
   */
  open_world?: boolean;
}
/**
 * That this version goes away, and what comes instead.
 */
export interface Deprecation {
  /**
   * ISO date from which it is deprecated.
   */
  since: string;
  /**
   * ISO date from which it is refused; not before since.
   */
  sunset?: string;
  /**
   * A tool name, optionally with a version: git_log@2.0.0.
   */
  successor?: string;
  /**
   * A link or path to the migration guide.
   */
  guide?: string;
}

/**
 * fettle.config.yaml, version 1. ${ENV_NAME} and ${ENV_NAME:-default} are expanded in strings.
 */
export interface FettleConfig {
  /**
   * The version of the config format. Default 1.
   */
  spec_version?: 1;
  server?: ServerIdentity;
  /**
   * Folders that are searched for *.tool.yaml. Default: the folder of the config.
   *
   * @minItems 1
   *
   * Items: A folder relative to this file.
   */
  tools?: string[];
  /**
   * The plugins in order; within a position the first is outermost.
   */
  plugins?: PluginUse[];
  /**
   * Refuse to start when any spec has an error. Default false: broken tools are left out.
   */
  strict?: boolean;
  /**
   * Time limit of one call in milliseconds for tools that set none. Default 60,000.
   */
  timeout_ms?: number;
  /**
   * Whether checked specs are kept in .fettle/cache beside the config, so that the next start is faster. Default true.
   */
  cache?: boolean;
  http?: HttpSettings;
  wire?: WireSettings;
}
/**
 * Who the server says it is.
 */
export interface ServerIdentity {
  /**
   * The server's name. Default: the name of the config's folder.
   */
  name?: string;
  /**
   * The server's version. Default 0.0.0.
   */
  version?: string;
  /**
   * A text that hosts may give to the model.
   */
  instructions?: string;
}
/**
 * One plugin and its options.
 */
export interface PluginUse {
  /**
   * A package name or a path relative to this file.
   */
  use: string;
  /**
   * The plugin's options, checked by its own schema.
   */
  with?: {
    [k: string]: unknown;
  };
}
/**
 * Settings of serve --http.
 */
export interface HttpSettings {
  /**
   * Address to listen on. Default 127.0.0.1.
   */
  host?: string;
  /**
   * Port to listen on; 0 picks one. Default 3000.
   */
  port?: number;
  /**
   * Host header values that are served besides the loopback names.
   *
   * Items: A host name without port.
   */
  allowed_hosts?: string[];
  /**
   * Origin host names that are served besides the loopback names.
   *
   * Items: A host name without scheme and port.
   */
  allowed_origins?: string[];
  /**
   * Largest request body in bytes. Default 1 MiB.
   */
  max_body_bytes?: number;
  /**
   * Time for a request's headers in milliseconds. Default 10,000.
   */
  headers_timeout_ms?: number;
  /**
   * Time for a whole request to arrive in milliseconds. Default 30,000.
   */
  request_timeout_ms?: number;
  /**
   * Idle time of a kept connection in milliseconds. Default 5,000.
   */
  keep_alive_timeout_ms?: number;
  /**
   * Idle time after which a session of the older era is closed, in milliseconds. Default 1,800,000.
   */
  session_idle_ms?: number;
  /**
   * Most sessions of the older era at once. Default 1,000.
   */
  max_sessions?: number;
  /**
   * Time for calls in flight to end at shutdown, in milliseconds. Default 8,000.
   */
  drain_ms?: number;
  /**
   * Most bytes kept per session of the older era, for clients that resume a stream; 0 turns resuming off. Default 1 MiB.
   */
  replay_bytes?: number;
  /**
   * Signs the state of questions to the user. All replicas need the same one. Default: random, for this process alone.
   */
  state_secret?: string;
  /**
   * How long the state of a question is accepted, in milliseconds. Default 3,600,000.
   */
  state_ttl_ms?: number;
}
/**
 * How tools are shown to clients.
 */
export interface WireSettings {
  /**
   * Inline local, non-recursive $refs for hosts that break on them. Default false.
   */
  inline_refs?: boolean;
  /**
   * Most characters of a listed tool's description. Default 1,024.
   */
  description_budget?: number;
  /**
   * Entries a list page holds. Default 100.
   */
  page_size?: number;
  /**
   * How long clients may keep a list, in milliseconds. Default 0: they ask each time.
   */
  list_ttl_ms?: number;
  /**
   * Whether a kept list may be shared by callers. Default private.
   */
  cache_scope?: "public" | "private";
}

/**
 * An error as it goes out under _meta["dev.fettle/error"].
 */
export interface ToolErrorShape {
  /**
   * One of the seven error types.
   */
  error_type: "input_error" | "state_error" | "resource_error" | "permission_error" | "rate_limit_error" | "external_error" | "internal_error";
  /**
   * namespace/kebab, compared by string.
   */
  error_code: string;
  /**
   * What happened, in one or more sentences.
   */
  what_went_wrong: string;
  /**
   * The likely cause; empty when unknown.
   */
  why_it_happened: string;
  /**
   * What to do, step by step.
   *
   * Items: A step.
   */
  how_to_fix: string[];
  /**
   * Facts for programs.
   */
  details: {
    [k: string]: unknown;
  };
  /**
   * Whether the same call may succeed later.
   */
  retry_recommended: boolean;
  /**
   * When to retry, in seconds.
   */
  retry_after_seconds?: number;
  /**
   * Tools to use instead.
   *
   * Items: A tool name.
   */
  alternative_tools: string[];
  /**
   * Where to read more.
   *
   * Items: A link.
   */
  related_docs: string[];
}

/**
 * A finding of fettle check, as in its JSON output.
 */
export interface DiagnosticShape {
  /**
   * namespace/kebab.
   */
  code: string;
  /**
   * error: something is refused; warning: look at it; note: for information.
   */
  severity: "error" | "warning" | "note";
  /**
   * Path of the file, relative to the working folder where it is inside.
   */
  file: string;
  /**
   * Line, from 1.
   */
  line: number;
  /**
   * Column in UTF-16 code units, from 1.
   */
  column: number;
  /**
   * Line of the end.
   */
  end_line?: number;
  /**
   * Column after the last character.
   */
  end_column?: number;
  /**
   * What is wrong.
   */
  message: string;
  /**
   * What to do.
   */
  hint?: string;
  /**
   * The id of the spec or quality rule.
   */
  rule?: string;
}

/**
 * NAME.scenarios.yaml: tasks in a user's words and the calls that should follow.
 */
export interface ScenarioFile {
  /**
   * The version of the format.
   */
  spec_version: 1;
  /**
   * The scenarios.
   *
   * @minItems 1
   */
  scenarios: Scenario[];
}
/**
 * One task and what should follow.
 */
export interface Scenario {
  /**
   * Unique in the file.
   */
  id: string;
  /**
   * What the user says.
   */
  task: string;
  expect: Expectation;
  /**
   * Tools that must not be called.
   *
   * Items: A tool name.
   */
  forbid?: string[];
  /**
   * How many other tools are shown.
   */
  distractors?: number;
  recover?: Recovery;
  /**
   * Written by a generator and not looked at by a person yet.
   */
  generated?: boolean;
  /**
   * Words to filter by.
   *
   * Items: A tag.
   */
  tags?: string[];
}
/**
 * Exactly one of these.
 */
export interface Expectation {
  /**
   * These calls, in this order.
   *
   * @minItems 1
   */
  in_order?: ExpectedCall[];
  /**
   * These calls, in any order.
   *
   * @minItems 1
   */
  any_order?: ExpectedCall[];
  /**
   * One of these calls.
   *
   * @minItems 1
   */
  one_of?: ExpectedCall[];
  /**
   * No tool fits: no call.
   */
  no_call?: true;
}
/**
 * A call of a tool.
 */
export interface ExpectedCall {
  /**
   * The tool's name.
   */
  tool: string;
  /**
   * A matcher for each argument that matters.
   */
  args?: {
    [k: string]: ArgumentMatcher;
  };
}
/**
 * Exactly one of these.
 */
export interface ArgumentMatcher {
  /**
   * Equal to this value.
   */
  exact?:
    | {
        [k: string]: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /**
   * Holds at least this.
   */
  subset?:
    | {
        [k: string]: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /**
   * Means the same: dates and numbers are compared by value.
   */
  semantic?:
    | {
        [k: string]: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /**
   * A regular expression (ECMA-262 under u) that the text matches.
   */
  pattern?: string;
  /**
   * Anything.
   */
  ignore?: true;
}
/**
 * The first call is answered with this common_error of the tool; does the next call repair it?
 */
export interface Recovery {
  /**
   * The code of one of the tool's common_errors.
   */
  error_code: string;
  /**
   * Whose error. Default: the first expected tool.
   */
  tool?: string;
}
