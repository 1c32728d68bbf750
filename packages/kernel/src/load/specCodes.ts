import { type CodeTable, defineCodes } from "@fettle/contract";

/** Codes of what can be wrong with one file. A `spec/*` error keeps that tool from being served, and nothing else. */
export type SpecCode =
  | "unreadable"
  | "too-large"
  | "not-text"
  | "empty-file"
  | "bad-yaml"
  | "duplicate-key"
  | "text-cut"
  | "unknown-version"
  | "unknown-key"
  | "missing-field"
  | "wrong-type"
  | "wrong-value"
  | "bad-format"
  | "too-long"
  | "too-short"
  | "out-of-range"
  | "duplicate-item"
  | "bad-schema"
  | "section-unused"
  | "reserved-name"
  | "file-name"
  | "file-version"
  | "params-disagree"
  | "example-without-error"
  | "example-without-output"
  | "example-contradiction"
  | "error-contradiction"
  | "effects-contradiction"
  | "latency-order"
  | "date-order"
  | "scenario-contradiction"
  | "todo"
  | "duplicate-tool"
  | "handler-missing"
  | "handler-failed"
  | "handler-not-a-function"
  | "module-missing"
  | "module-failed"
  | "module-not-a-function";

/** The table of `spec/*`: the words of `fettle check --explain` and of the docs. */
export const specCodes: CodeTable<SpecCode> = defineCodes<SpecCode>("spec", {
  unreadable: {
    message: "The file or folder can't be read.",
    hint: "Check that it exists, that the path is right, and that this user may read it.",
  },
  "too-large": { message: "The file is larger than 1 MiB.", hint: "Move long texts into a document and link it; keep the spec to what a model needs." },
  "not-text": {
    message: "The file is not UTF-8 text.",
    hint: "Save it as UTF-8; if it is not a spec at all, give it a name that doesn't end in .tool.yaml.",
  },
  "empty-file": {
    message: "The file holds nothing but comments or blank lines.",
    hint: "Write a spec, beginning with a copy of another one, or delete the file.",
  },
  "bad-yaml": {
    message: "The text is not YAML 1.2 as Fettle reads it.",
    hint: "Look at the marked place: indentation is spaces and never tabs, and a text with `: ` or ` #` in it needs quotes.",
  },
  "duplicate-key": { message: "A key stands twice in one mapping.", hint: "Keep one of the two: YAML would silently drop the other." },
  "text-cut": {
    message: "A text ends before a # on its line, since YAML takes the rest for a comment.",
    hint: "Put the whole text in quotes, or leave a blank after # where a comment is meant.",
  },
  "unknown-version": {
    message: "spec_version names a version that this Fettle doesn't know.",
    hint: "Use a version that the message lists, or update Fettle.",
  },
  "unknown-key": { message: "The spec has no such key at this place.", hint: "Mend the spelling, take the key out, or switch on the plugin that owns it." },
  "missing-field": { message: "A required field isn't there.", hint: "Add the field. Lists may be empty: `related_tools: []`." },
  "wrong-type": {
    message: "A value is of another type than the field takes.",
    hint: "Give a value of the type named. A version or a number meant as text needs quotes.",
  },
  "wrong-value": { message: "A value isn't one of those that the field takes.", hint: "Use a value that the message lists, or one of the shape it describes." },
  "bad-format": { message: "A text doesn't have the format that the field takes.", hint: 'Write it as the message shows, for example a date as "2026-12-31".' },
  "too-long": { message: "A text or list is longer than allowed.", hint: "Shorten it to the limit named." },
  "too-short": { message: "A text or list is shorter than allowed.", hint: "Fill it in; an optional field that has nothing to say is left out." },
  "out-of-range": { message: "A number is outside of the range allowed.", hint: "Use a number within the limits named." },
  "duplicate-item": { message: "A list holds the same thing twice.", hint: "Keep one of them." },
  "bad-schema": {
    message: "A JSON Schema in the spec can't be enforced.",
    hint: "Mend the schema at the marked place. It is JSON Schema 2020-12, without references to other files or hosts.",
  },
  "section-unused": {
    message: "The spec has a section of a plugin that isn't switched on, so it does nothing.",
    hint: "Add the plugin to `plugins` in fettle.config.yaml, or take the section out.",
  },
  "reserved-name": {
    message: "The tool is called like something that every JavaScript object has, and hosts that keep tools in objects break on it.",
    hint: "Choose another name, best a verb and a thing: list_orders.",
  },
  "file-name": { message: "The file isn't called like its tool.", hint: "Call the file NAME.tool.yaml, or mend `name`." },
  "file-version": {
    message: "The file name has a version suffix that the version inside doesn't begin with.",
    hint: "git_log@1.tool.yaml holds a version 1.x.y: mend the suffix or `version`.",
  },
  "params-disagree": {
    message: "required_params or optional_params doesn't agree with `parameters`.",
    hint: "Leave both lists out: they are derived from `parameters`.",
  },
  "example-without-error": {
    message: "A negative example doesn't say which error it ends in.",
    hint: "Add `error: { error_type: ... }`, or choose another category.",
  },
  "example-without-output": {
    message: "An example doesn't say what comes back.",
    hint: "Add `output`, or say with `verify: schema` or `verify: none` that it isn't compared.",
  },
  "example-contradiction": {
    message: "An example has two fields that can't both hold.",
    hint: "A negative example has `error`, every other one has `output`; `verify` is about an output.",
  },
  "error-contradiction": {
    message: "Two places of the spec say different things of one error code.",
    hint: "One code has one error_type and one entry in common_errors.",
  },
  "effects-contradiction": {
    message: "The effects contradict each other.",
    hint: "A read_only tool changes nothing, so it can't be destructive: decide which of the two holds.",
  },
  "latency-order": { message: "max_latency_ms is less than typical_latency_ms.", hint: "Give the longest time to expect; swap the two if they were mixed up." },
  "date-order": { message: "The sunset lies before the day on which the deprecation begins.", hint: "Swap `since` and `sunset`, or mend the wrong one." },
  "scenario-contradiction": { message: "A scenario expects and rules out the same thing.", hint: "Decide what should happen, and say only that." },
  todo: {
    message: "A text begins with TODO: and so is still to be written.",
    hint: "Write it. Until then models aren't shown a description that begins so; the tool is served all the same.",
  },
  "duplicate-tool": {
    message: "Two specs have the same name and version.",
    hint: "Give one of them another name or version. Build metadata (`+...`) doesn't tell versions apart.",
  },
  "handler-missing": {
    message: "The spec has no handler module.",
    hint: "Put NAME.handler.ts, .js or .mjs beside the spec, or say with `handler` where it is.",
  },
  "handler-failed": { message: "The handler module could not be imported.", hint: "Mend the error named; run the module on its own to see it whole." },
  "handler-not-a-function": {
    message: "The handler module doesn't export a function where one is looked for.",
    hint: "Write `export default async (args, ctx) => ...`, or name the export: `handler: ./file.js#exportName`.",
  },
  "module-missing": {
    message: "The section of a plugin names a module that isn't there.",
    hint: "Mend the path, which is relative to the spec, or write the module.",
  },
  "module-failed": {
    message: "A module that the section of a plugin names could not be imported.",
    hint: "Mend the error named; run the module on its own to see it whole.",
  },
  "module-not-a-function": {
    message: "A module that the section of a plugin names doesn't export a function where one is looked for.",
    hint: "Export a function as default, or name the export: `./file.js#exportName`.",
  },
});
