import assert from "node:assert/strict";
import { test } from "node:test";
import { v1 } from "@fettle/spec-types/schemas";
import {
  ERROR_TYPES,
  externalError,
  inputError,
  internalError,
  isThrownToolError,
  permissionError,
  rateLimitError,
  renderToolError,
  resourceError,
  stateError,
} from "./index.js";

const constructors = {
  input_error: inputError,
  state_error: stateError,
  resource_error: resourceError,
  permission_error: permissionError,
  rate_limit_error: rateLimitError,
  external_error: externalError,
  internal_error: internalError,
};

test("there is a constructor for each of the seven types, and the meta-schemas name the same seven", () => {
  assert.deepEqual(Object.keys(constructors), [...ERROR_TYPES]);
  const { error_type } = v1.error["properties"] as { error_type: { enum: string[] } };
  assert.deepEqual(error_type.enum, [...ERROR_TYPES]);
  for (const [type, make] of Object.entries(constructors)) assert.equal(make("a/b", { what: "W." }).toToolError().error_type, type);
});

test("the wire shape has the members that the error meta-schema asks for, and no others", () => {
  const { properties, required } = v1.error as { properties: Record<string, unknown>; required: string[] };
  const small = resourceError("a/b", { what: "W." }).toToolError();
  assert.deepEqual(Object.keys(small).sort(), [...required].sort());
  const whole = resourceError("a/b", {
    what: "W.",
    why: "y",
    fix: "f",
    details: { a: 1 },
    retry: true,
    retryAfterSeconds: 3,
    alternativeTools: ["t"],
    relatedDocs: ["d"],
  }).toToolError();
  assert.deepEqual(Object.keys(whole).sort(), Object.keys(properties).sort());
});

test("a retry is advised by type, and by whether the tool may be repeated, unless the author says otherwise", () => {
  const advice = (make: typeof inputError, repeatable: boolean, retry?: boolean) =>
    make("a/b", { what: "W.", ...(retry !== undefined && { retry }) }).toToolError({ repeatable }).retry_recommended;
  for (const [type, make] of Object.entries(constructors)) {
    assert.equal(advice(make, false), type === "rate_limit_error", type);
    assert.equal(advice(make, true), type === "rate_limit_error" || type === "external_error", type);
    assert.equal(advice(make, true, false), false);
    assert.equal(advice(make, false, true), true);
  }
});

test("an error keeps its cause for the log and stays an Error with a stack", () => {
  const cause = new Error("inner");
  const error = stateError("a/b", { what: "W.", cause });
  assert.ok(error instanceof Error);
  assert.equal(error.cause, cause);
  assert.equal(error.message, "W.");
  assert.doesNotMatch(JSON.stringify(error.toToolError()), /inner/);
});

test("errors of this package are told from others, also of another copy", () => {
  assert.equal(isThrownToolError(inputError("a/b", { what: "W." })), true);
  assert.equal(isThrownToolError(Object.assign(new Error("x"), { isFettleToolError: true })), true);
  for (const other of [new Error("x"), { isFettleToolError: true }, null, "x"]) assert.equal(isThrownToolError(other), false);
});

test("an outcome of an error has the error and no notes", () => {
  const outcome = rateLimitError("a/b", { what: "W.", retryAfterSeconds: 5 }).outcome();
  assert.deepEqual([outcome.kind, outcome.kind === "error" && outcome.error.retry_after_seconds, outcome.notes], ["error", 5, {}]);
});

test("a rendered error says what, why, what to do in steps, and that a retry won't help", () => {
  const error = resourceError("git/no-such-ref", {
    what: "There is no branch, tag or commit called mian.",
    why: "the name is misspelt, or the branch was never fetched.",
    fix: ["Send one of these as ref: main, maint-1.x", "Leave ref out to start from HEAD."],
    alternativeTools: ["git_status"],
    relatedDocs: ["docs/refs.md"],
  });
  assert.equal(
    renderToolError(error.toToolError()),
    `There is no branch, tag or commit called mian.
Why: the name is misspelt, or the branch was never fetched.
What to do:
1. Send one of these as ref: main, maint-1.x
2. Leave ref out to start from HEAD.
Retrying the same call won't help.
Use instead: git_status
See also: docs/refs.md`,
  );
});

test("a single step is a sentence of its own, and an input error speaks of no retry", () => {
  assert.equal(renderToolError(inputError("a/b", { what: "since is after until.", fix: "Swap them." }).toToolError()), "since is after until.\nSwap them.");
});

test("advice to retry says when, where that is known", () => {
  const text = (retryAfterSeconds?: number) =>
    renderToolError(rateLimitError("a/b", { what: "W.", ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }).toToolError());
  assert.equal(text(), "W.\nRetrying the same call may help.");
  assert.equal(text(1), "W.\nRetry the same call after 1 second.");
  assert.equal(text(45), "W.\nRetry the same call after 45 seconds.");
});

test("who says when to retry advises it, but for external errors of tools that may not be repeated", () => {
  const text = (make: typeof inputError, repeatable: boolean, retryAfterSeconds: number, retry?: boolean) =>
    renderToolError(make("a/b", { what: "W.", retryAfterSeconds, ...(retry !== undefined && { retry }) }).toToolError({ repeatable }));
  assert.equal(text(stateError, false, 5), "W.\nRetry the same call after 5 seconds.");
  assert.equal(text(externalError, true, 5), "W.\nRetry the same call after 5 seconds.");
  assert.equal(text(externalError, false, 5), "W.\nIf you retry, wait 5 seconds first.");
  assert.equal(text(externalError, false, 0), "W.");
  assert.equal(text(stateError, true, 5, false), "W.\nRetrying the same call won't help.");
  assert.equal(text(rateLimitError, true, 0), "W.\nRetry the same call now.");
  for (const none of [Number.NaN, -1, "5"]) assert.equal(text(stateError, true, none as number), "W.\nRetrying the same call won't help.");
});

test("what an author said is kept without the cause, so that no copy of it holds what caused the error", () => {
  const cause = { authorization: "secret" };
  const error = stateError("a/b", { what: "W.", fix: "F.", cause });
  assert.deepEqual(error.options, { what: "W.", fix: "F." });
  assert.doesNotMatch(JSON.stringify([error, { ...error }, error.options]), /secret/);
  assert.equal(error.cause, cause);
});

test("options that are none make an error all the same, for whoever sends it to say what is wrong", () => {
  for (const nothing of [undefined, null, "text", 7]) assert.equal(stateError("a/b", nothing as never).toToolError().what_went_wrong, undefined);
});
