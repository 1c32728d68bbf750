import assert from "node:assert/strict";
import { test } from "node:test";
import type { Files } from "../platform.js";
import { checkDocument, type DocumentFormat } from "./checkDocument.js";

async function check(format: DocumentFormat, text: string | undefined): ReturnType<typeof checkDocument> {
  const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
  const files: Files = {
    list: async () => [],
    size: async () => bytes?.length,
    real: async (path) => path,
    read: async () => bytes ?? Promise.reject(Object.assign(new Error("gone"), { code: "ENOENT" })),
  };
  return checkDocument({ format, file: "/a.yaml", files });
}

const scenarios = { spec_version: 1, scenarios: [{ id: "a", task: "Do it.", expect: { no_call: true } }] };

test("a file that fits gives its data, also when it is JSON", async () => {
  const { diagnostics, data } = await check("scenario", JSON.stringify(scenarios));
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(data, scenarios);
});

test("a file that can't be read is a finding like any other", async () => {
  const { diagnostics, data, text } = await check("error", undefined);
  assert.deepEqual([diagnostics[0]?.code, diagnostics.length, data, text], ["spec/unreadable", 1, undefined, undefined]);
});

test("a file that doesn't fit gives every finding with its place, and no data", async () => {
  const { diagnostics, data } = await check("diagnostic", "code: X\nseverity: fatal\nfile: a\nline: 1\ncolumn: 1\nmessage: m\n");
  assert.deepEqual(
    diagnostics.map(({ rule, line, column }) => [rule, line, column]),
    [
      ["D-CODE-1", 1, 7],
      ["D-SEVERITY-1", 2, 11],
    ],
  );
  assert.equal(data, undefined);
});

test("of an unknown version nothing else is said", async () => {
  const { diagnostics } = await check("scenario", "spec_version: 2\nscenarios: none\n");
  assert.deepEqual(
    diagnostics.map(({ code, rule, hint }) => [code, rule, hint]),
    [["spec/unknown-version", "S-SPECVERSION-1", "Known: 1."]],
  );
});

test("the rules are asked once the shape is right", async () => {
  const twice = { ...scenarios, scenarios: [...scenarios.scenarios, ...scenarios.scenarios] };
  assert.deepEqual(
    (await check("scenario", JSON.stringify(twice))).diagnostics.map(({ rule }) => rule),
    ["S-ID-2"],
  );
});
