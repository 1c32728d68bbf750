import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { composeDescription, type DescribedSpec } from "./composeDescription.js";

const SPEC: DescribedSpec = {
  description_short: "List commits, newest first.",
  description_detailed: "Returns hash and subject. A page holds 100 commits.\n\nReads   only.",
  when_to_use: "Use this tool when you need to know who changed what.",
  when_not_to_use: "Do NOT use it to see changed lines; use `git_show`.",
  prerequisites: ["A repository must exist."],
};

describe("a composed description", () => {
  test("says what, how, when, when not and what must hold, with the lead first", () => {
    assert.equal(
      composeDescription(SPEC, { budget: 1_024, lead: "Deprecated." }),
      [
        "Deprecated.",
        "List commits, newest first.",
        "Returns hash and subject. A page holds 100 commits.\nReads only.",
        "Use this tool when you need to know who changed what.",
        "Do NOT use it to see changed lines; use `git_show`.",
        "Before the call: A repository must exist.",
      ].join("\n"),
    );
  });

  test("gives its room to what helps to choose, and ends after whole sentences", () => {
    assert.equal(
      composeDescription(SPEC, { budget: 165 }),
      [
        "List commits, newest first.",
        "Returns hash and subject.",
        "Use this tool when you need to know who changed what.",
        "Do NOT use it to see changed lines; use `git_show`.",
      ].join("\n"),
    );
    assert.equal(
      composeDescription(SPEC, { budget: 100 }),
      ["List commits, newest first.", "Use this tool when you need to know who changed what."].join("\n"),
    );
  });

  test("leaves out what is still to be written", () => {
    const notes = { description_detailed: "TODO: What comes back.", when_to_use: "  TODO: when", prerequisites: ["TODO: what", "TODOs must exist."] };
    assert.equal(
      composeDescription({ ...SPEC, ...notes }, { budget: 1_024 }),
      ["List commits, newest first.", "Do NOT use it to see changed lines; use `git_show`.", "Before the call: TODOs must exist."].join("\n"),
    );
    const first = composeDescription({ ...SPEC, description_short: "TODO: one line" }, { budget: 1_024 }).split("\n")[0];
    assert.equal(first, "Returns hash and subject. A page holds 100 commits.");
  });

  test("never is longer than its budget, whatever the budget", () => {
    for (let budget = 1; budget < 400; budget += 1) {
      const text = composeDescription(SPEC, { budget, lead: "Deprecated since 2026-01-01." });
      assert.ok(text.length <= budget, `${budget}: ${text}`);
    }
  });

  test("cuts a needed text between words where no sentence fits", () => {
    assert.equal(
      composeDescription({ ...SPEC, description_short: "Counts the inhabitants of a city by district" }, { budget: 30 }),
      "Counts the inhabitants of a…",
    );
  });

  test("doesn't cut inside of an emoji", () => {
    const text = composeDescription({ ...SPEC, description_short: "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦" }, { budget: 15 });
    assert.equal(text, "👩‍👩‍👧‍👦…");
  });

  test("says the short text once where the details begin with it", () => {
    const spec = { ...SPEC, description_detailed: "List commits, newest first, with hash and subject." };
    assert.equal(composeDescription(spec, { budget: 1_024 }).match(/newest first/g)?.length, 1);
  });
});
