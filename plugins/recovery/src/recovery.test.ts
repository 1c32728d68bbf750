import assert from "node:assert/strict";
import { test } from "node:test";
import {
  definePlugin,
  externalError,
  inputError,
  internalError,
  type JsonObject,
  rateLimitError,
  renderToolError,
  resourceError,
  stateError,
} from "@fettle/contract";
import { checkPluginLaws, type TestTool, testKernel } from "@fettle/testkit";
import recovery from "./index.js";

const common_errors = [
  {
    error_type: "resource_error",
    error_code: "git/no-such-ref",
    symptom: "There is no branch of that name.",
    cause: "The branch was deleted, or its name is misspelt.",
    solution: "List the branches with `git_branches`.",
    alternative_tools: ["git_branches"],
    related_docs: ["https://example.com/refs"],
  },
  {
    error_type: "rate_limit_error",
    error_code: "git/busy",
    symptom: "Too many at once.",
    cause: "Many calls came at once.",
    solution: "Wait.",
    retry_after_seconds: 3,
  },
  { error_type: "external_error", error_code: "git/failed", symptom: "git failed.", cause: "The disk is full.", solution: "Tell the operator." },
  { error_type: "external_error", error_code: "git/hook", symptom: "A hook failed.", cause: "A hook said no.", solution: "Read the hook." },
];

/** A tool that throws what it is given. */
const throwing = (error: () => unknown, spec: JsonObject = {}): TestTool => ({
  common_errors,
  ...spec,
  handler: () => {
    throw error();
  },
});
const bench = (tools: Record<string, TestTool>, options = {}) => testKernel({ plugins: [recovery(options)], tools });

test("an error gets from the spec's entry of its code what it doesn't say itself", async () => {
  const { kernel } = await bench({ git_log: throwing(() => resourceError("git/no-such-ref", { what: "There is no branch called mian." })) });
  const { error, notes } = await kernel.call("git_log", {});
  assert.equal(
    renderToolError(error),
    [
      "There is no branch called mian.",
      "Why: The branch was deleted, or its name is misspelt.",
      "List the branches with `git_branches`.",
      "Retrying the same call won't help.",
      "Use instead: git_branches",
      "See also: https://example.com/refs",
    ].join("\n"),
  );
  assert.deepEqual(notes, { "recovery.error_type": "resource_error", "recovery.error_code": "git/no-such-ref", "recovery.matched_by": "code" });
});

test("what the handler says itself stays, and the entry's tools and docs are added to its own", async () => {
  const own = () =>
    resourceError("git/no-such-ref", {
      what: "W.",
      why: "Own why.",
      fix: ["Own fix."],
      alternativeTools: ["git_log", "git_branches"],
      relatedDocs: ["own.md"],
    });
  const { error } = await (await bench({ git_log: throwing(own) })).kernel.call("git_log", {});
  assert.deepEqual([error.why_it_happened, error.how_to_fix], ["Own why.", ["Own fix."]]);
  assert.deepEqual(error.alternative_tools, ["git_log", "git_branches"]);
  assert.deepEqual(error.related_docs, ["own.md", "https://example.com/refs"]);
});

test("the wait of the entry is used where the error names none", async () => {
  const { kernel } = await bench({
    a: throwing(() => rateLimitError("git/busy", { what: "W." })),
    b: throwing(() => rateLimitError("git/busy", { what: "W.", retryAfterSeconds: 60 })),
  });
  assert.deepEqual([(await kernel.call("a", {})).error.retry_after_seconds, (await kernel.call("b", {})).error.retry_after_seconds], [3, 60]);
});

test("without an entry of its code an error gets that of its type, if it is the only one and the error says nothing itself", async () => {
  const { kernel } = await bench({
    silent: throwing(() => resourceError("git/other", { what: "W." })),
    telling: throwing(() => resourceError("git/other", { what: "W.", fix: "Own." })),
    two: throwing(() => externalError("git/other", { what: "W." })),
    none: throwing(() => stateError("git/other", { what: "W." })),
  });
  const { error, notes } = await kernel.call("silent", {});
  assert.deepEqual(error.how_to_fix, ["List the branches with `git_branches`."]);
  assert.equal(notes["recovery.matched_by"], "type");
  for (const name of ["telling", "two", "none"]) {
    const other = await kernel.call(name, {});
    assert.deepEqual([other.error.why_it_happened, other.notes["recovery.matched_by"]], ["", undefined], name);
  }
});

test("errors of other layers and of the kernel are enriched and counted too", async () => {
  const limits = definePlugin({
    name: "limits",
    options: {},
    create: () => ({
      name: "limits",
      position: "protect",
      setup: () => ({ layer: () => () => rateLimitError("git/busy", { what: "Too many." }).outcome() }),
    }),
  });
  const { kernel, observed } = await testKernel({ plugins: [limits(), recovery()], tools: { git_log: { common_errors, handler: () => 1 } } });
  assert.equal((await kernel.call("git_log", {})).error.why_it_happened, "Many calls came at once.");
  await kernel.call("nowhere", {});
  assert.deepEqual(
    observed.map(({ notes }) => notes["recovery.error_code"]),
    ["git/busy", "kernel/unknown-tool"],
  );
});

test("retries are advised by type: rate limits always, external errors where a call can be repeated", async () => {
  const { kernel } = await bench({
    reads: throwing(() => externalError("git/failed", { what: "W." }), { effects: { read_only: true } }),
    writes: throwing(() => externalError("git/failed", { what: "W." })),
    wrong: throwing(() => inputError("git/x", { what: "W." }), { effects: { read_only: true } }),
  });
  const advised = async (name: string) => (await kernel.call(name, {})).error.retry_recommended;
  assert.deepEqual([await advised("reads"), await advised("writes"), await advised("wrong")], [true, false, false]);
});

test("each error is logged once, with call id, tool, type and code, and with neither its text nor the arguments", async () => {
  const { kernel, logs } = await bench({ git_log: throwing(() => inputError("git/bad-date", { what: "secret-text isn't a date." })) });
  await kernel.call("git_log", { since: "secret-argument" });
  assert.equal(logs.length, 1);
  const [{ level, message, fields } = { level: "", message: "", fields: {} }] = logs;
  assert.deepEqual([level, message], ["info", "git_log failed: git/bad-date"]);
  assert.deepEqual(Object.keys(fields), ["call_id", "tool", "version", "error_type", "tool_error"]);
  assert.doesNotMatch(JSON.stringify(logs), /secret/);
});

test("what the kernel has logged with its cause isn't logged again", async () => {
  const { kernel, logs } = await bench({
    throws: throwing(() => new Error("inner")),
    caused: throwing(() => externalError("git/failed", { what: "W.", cause: new Error("outer", { cause: new Error("inner") }) })),
    returns_nothing: { handler: () => undefined as never },
    unsendable: throwing(() => inputError("git/x", { what: "W.", details: { n: 1n as never } })),
  });
  for (const name of ["throws", "returns_nothing", "unsendable", "caused"]) {
    const before = logs.length;
    await kernel.call(name, {});
    assert.equal(logs.length, before + 1, JSON.stringify(logs.slice(before)));
    assert.equal(typeof logs.at(-1)?.fields["call_id"], "string");
  }
  assert.match(JSON.stringify(logs.at(-1)?.fields), /"error_message":"outer".*"error_cause":\{.*"error_message":"inner"/);
});

test("the name of a tool that doesn't exist isn't logged", async () => {
  const { kernel, logs } = await bench({ git_log: () => 1 });
  await kernel.call("secret-name", {});
  assert.deepEqual([logs.length, logs[0]?.message], [1, "a call failed: kernel/unknown-tool"]);
  assert.doesNotMatch(JSON.stringify(logs), /secret/);
});

test("the log can be left to the server's own faults", async () => {
  const { kernel, logs } = await bench({ fails: throwing(() => inputError("git/x", { what: "W." })), throws: throwing(() => new Error("x")) }, { log: "off" });
  await kernel.call("fails", {});
  assert.deepEqual(logs, []);
  await kernel.call("throws", {});
  assert.equal(logs.length, 1);
});

test("without the log of all errors, faults and what has a cause are still logged once", async () => {
  const { kernel, logs } = await bench(
    {
      fault: throwing(() => internalError("git/broken", { what: "W." })),
      caused: throwing(() => inputError("git/x", { what: "W.", cause: new Error("inner") })),
    },
    { log: "off" },
  );
  for (const name of ["fault", "caused"]) {
    const before = logs.length;
    await kernel.call(name, {});
    assert.equal(logs.length, before + 1);
  }
  assert.deepEqual(
    logs.map(({ level }) => level),
    ["error", "info"],
  );
});

test("an entry of the same code and another type is of another error, and a wait goes only with a retry", async () => {
  const entry = { error_code: "git/busy", symptom: "S.", cause: "Of the entry.", solution: "Wait.", retry_after_seconds: 3 };
  const known = (error_type: string): JsonObject => ({ common_errors: [{ ...entry, error_type }] });
  const { kernel } = await bench({
    other: throwing(() => inputError("git/busy", { what: "W.", fix: "Own." }), known("state_error")),
    still: throwing(() => stateError("git/busy", { what: "W." }), known("state_error")),
    again: throwing(() => stateError("git/busy", { what: "W.", retry: true }), known("state_error")),
  });
  assert.equal((await kernel.call("other", {})).error.why_it_happened, "");
  const still = (await kernel.call("still", {})).error;
  assert.deepEqual([still.why_it_happened, still.retry_after_seconds], ["Of the entry.", undefined]);
  assert.equal((await kernel.call("again", {})).error.retry_after_seconds, 3);
});

test("after a reload errors are enriched by the new spec", async () => {
  const { kernel, memory } = await bench({ git_log: throwing(() => stateError("git/dirty", { what: "W." })) });
  assert.equal((await kernel.call("git_log", {})).error.why_it_happened, "");
  const entry = { error_type: "state_error", error_code: "git/dirty", symptom: "Dirty.", cause: "Files changed.", solution: "Commit." };
  memory.add(
    "git_log",
    throwing(() => stateError("git/dirty", { what: "W." }), { common_errors: [entry] }),
  );
  await kernel.reload();
  assert.equal((await kernel.call("git_log", {})).error.why_it_happened, "Files changed.");
});

checkPluginLaws(recovery());
