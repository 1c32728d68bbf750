import assert from "node:assert/strict";
import { test } from "node:test";
import { reportError } from "./reportError.js";

function reported(error: unknown): Error {
  let seen: Error | undefined;
  reportError((safe) => {
    seen = safe;
  })(error);
  assert.ok(seen);
  return seen;
}

test("what reaches the log quotes nothing, has no control characters and an end", () => {
  assert.equal(reported(new Error('no tool "evil \\" name" here')).message, 'no tool "..." here');
  assert.equal(reported(new Error("a\u001b[31m\nb\u009bc")).message, "a [31m b c");
  assert.equal(reported(new Error("x".repeat(9_999))).message.length, 300);
  assert.equal(reported("a string").message, "a string");
});

test("words of the protocol that we quote ourselves stay, and nothing beside them does", () => {
  assert.equal(reported(new Error('A message has "jsonrpc": "2.0", not "3.0".')).message, 'A message has "jsonrpc": "2.0", not "...".');
  const key = 'params._meta["dev.fettle/idempotency-key"] must be a string';
  assert.equal(reported(new Error(key)).message, key);
});

test("the stack keeps its frames, but not the words of the message", () => {
  const { stack, name } = reported(new TypeError('the argument "hunter2"\nwas wrong'));
  assert.equal(name, "TypeError");
  assert.match(stack ?? "", /^TypeError: the argument "\.\.\." was wrong\n\s+at /);
  assert.doesNotMatch(stack ?? "", /hunter2/);
});

test("a listener that throws, or none, changes nothing", () => {
  reportError(undefined)(new Error("nobody listens"));
  reportError(() => {
    throw new Error("the log is full");
  })(new Error("x"));
});
