import type { JsonObject, Maybe } from "./json.js";
import type { ToolRef } from "./tool.js";

/** How often tools are called and how it ends. */
export interface Usage {
  /** Figures of a tool since `since` (milliseconds since 1970; default all). */
  of(tool: ToolRef, since?: number): Maybe<{ readonly calls: number; readonly failures: number; readonly p50Ms?: number; readonly p95Ms?: number } | undefined>;
  /** Tools called with this one, most often first. */
  calledWith(tool: ToolRef): Maybe<readonly { readonly name: string; readonly calls: number }[]>;
}

/** Quality scores of tools, 0 to 100; undefined while nothing was measured. */
export interface Scores {
  of(tool: ToolRef): Maybe<number | undefined>;
}

/** What people and models say of tools. */
export interface Feedback {
  report(tool: ToolRef, report: { readonly kind: string; readonly text: string; readonly by?: string }): Maybe<void>;
  of(tool: ToolRef): Maybe<readonly { readonly kind: string; readonly text: string; readonly at: number }[]>;
}

/** Recorded calls, where recording is on. */
export interface Recordings {
  of(tool: ToolRef, limit: number): Maybe<readonly { readonly args: JsonObject; readonly at: number; readonly ok: boolean }[]>;
}

/** A small shared store. Values live `ttlMs` milliseconds at most. */
export interface KeyValue {
  get(key: string): Maybe<string | undefined>;
  set(key: string, value: string, ttlMs: number): Maybe<void>;
  delete(key: string): Maybe<void>;
}

/** What plugins can offer each other without knowing each other: `host.provide("usage", impl)`, `host.find("usage")`. */
export interface Capabilities {
  usage: Usage;
  scores: Scores;
  feedback: Feedback;
  recordings: Recordings;
  keyValue: KeyValue;
}
