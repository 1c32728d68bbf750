import type { JsonPath, Severity } from "@fettle/contract";

/** What some host or model provider refuses, drops or misreads. */
export interface PortabilityRule {
  /** Worst severity of its findings. */
  readonly severity: Severity;
  /** What goes wrong, and where. */
  readonly why: string;
  /** What to write instead. */
  readonly hint: string;
}

/** Id of a rule of portability. */
export type PortabilityRuleId =
  | "tool-name"
  | "tool-name-portable"
  | "description"
  | "property-description"
  | "root-object"
  | "root-combinators"
  | "property-keys"
  | "array-items"
  | "required-declared"
  | "default-not-required"
  | "default-valid"
  | "typed"
  | "no-ref"
  | "union-nested"
  | "pattern-plain"
  | "pattern-safe"
  | "formats"
  | "enum-strings"
  | "exclusive-bounds"
  | "constraints-in-words"
  | "dialect"
  | "schema-size";

/** Adds a finding of a rule; its severity is the rule's worst unless a milder one is given. */
export type Add = (rule: PortabilityRuleId, path: JsonPath, message: string, severity?: Severity) => void;

/** The rules of portability by id. A tool that keeps them works with every host and model that was looked at. */
export const PORTABILITY_RULES: Readonly<Record<PortabilityRuleId, PortabilityRule>> = {
  "tool-name": {
    severity: "error",
    why: "OpenAI and Anthropic refuse other names, Gemini wants a letter or underscore first",
    hint: "Use a letter or underscore, then letters, digits, _ and -; at most 64 characters.",
  },
  "tool-name-portable": {
    severity: "warning",
    why: "editors prefix names with that of the server, warn about capitals and split at a double underscore",
    hint: "Use lower-case letters, digits and single underscores, at most 40 characters.",
  },
  description: {
    severity: "error",
    why: "some models refuse more than 1,024 characters, some hosts cut at 2,048, and an empty one is replaced",
    hint: "Say what the tool does in at most 1,024 characters.",
  },
  "property-description": { severity: "warning", why: "Copilot cuts descriptions of parameters at 1,024 characters", hint: "Shorten it." },
  "root-object": {
    severity: "error",
    why: "hosts replace or drop a tool whose root isn't an object with properties, and one of them drops its whole server",
    hint: "Write type: object and properties at the root, {} if there are none.",
  },
  "root-combinators": {
    severity: "error",
    why: "Anthropic refuses oneOf, anyOf and allOf at the root, and Copilot deletes them",
    hint: "Move the choice into a property, or make two tools.",
  },
  "property-keys": {
    severity: "error",
    why: "Anthropic refuses keys outside of letters, digits, _ . - and of more than 64 characters; Gemini wants a letter or underscore first",
    hint: "Use a letter or underscore, then letters, digits and _; at most 64 characters.",
  },
  "array-items": { severity: "error", why: "VS Code refuses an array without items", hint: "Say what the items are: items: { type: string }." },
  "required-declared": {
    severity: "error",
    why: "Copilot drops required names that properties doesn't declare",
    hint: "Declare it under properties, or take it out of required.",
  },
  "default-not-required": {
    severity: "error",
    why: "a property with a default is never missing, and clients disagree on what then is sent",
    hint: "Take it out of required, or take the default out.",
  },
  "default-valid": { severity: "error", why: "clients fill in the default and are refused", hint: "Give a default that fits." },
  typed: { severity: "warning", why: "hosts guess a type, and models send JSON as text", hint: "Give it a type." },
  "no-ref": { severity: "warning", why: "some hosts don't follow $ref and some refuse it", hint: "Write the schema out where it isn't recursive." },
  "union-nested": {
    severity: "warning",
    why: "oneOf is rewritten or refused by some providers",
    hint: "Prefer flat parameters; anyOf is understood by more than oneOf.",
  },
  "pattern-plain": {
    severity: "error",
    why: "OpenAI and DeepSeek refuse look-around, \\p{...}, back-references, named groups and a bare [ in a class",
    hint: "Write a plainer pattern, and say the rest in the description.",
  },
  "pattern-safe": {
    severity: "error",
    why: "a repeat inside a repeat can take minutes on other validators",
    hint: "Flatten the repeats, and put maxLength beside the pattern.",
  },
  formats: {
    severity: "warning",
    why: "providers know date-time, time, date, duration, email, hostname, uri, ipv4, ipv6 and uuid",
    hint: "Use one of these, or say it in the description.",
  },
  "enum-strings": { severity: "warning", why: "Gemini takes strings only, and at most about 250 of them", hint: "Use strings, 1 to 250 of them." },
  "exclusive-bounds": { severity: "warning", why: "Gemini refuses exclusiveMinimum and exclusiveMaximum", hint: "Use minimum and maximum." },
  "constraints-in-words": {
    severity: "warning",
    why: "Copilot and Codex strip bounds, patterns and formats, so that the model never sees them",
    hint: "Repeat them in the description.",
  },
  dialect: {
    severity: "error",
    why: "published schemas are 2020-12; draft-07 is refused by some hosts and a $schema by older ones",
    hint: "Leave $schema out.",
  },
  "schema-size": { severity: "warning", why: "hosts and providers bound schemas", hint: "Keep it under 32 KB, 10 levels and 200 schemas." },
};
