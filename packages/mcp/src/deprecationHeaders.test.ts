import assert from "node:assert/strict";
import { test } from "node:test";
import { deprecationHeaders } from "./deprecationHeaders.js";

test("dates become the headers of RFC 9745 and RFC 8594", () => {
  const meta = { "dev.fettle/deprecation": { since: "2026-01-01", sunset: "2026-12-31" } };
  assert.deepEqual(deprecationHeaders(meta), { deprecation: "@1767225600", sunset: "Thu, 31 Dec 2026 00:00:00 GMT" });
});

test("without a deprecation, or with dates that are none, there are no headers", () => {
  assert.deepEqual(deprecationHeaders({}), {});
  assert.deepEqual(deprecationHeaders({ "dev.fettle/deprecation": "soon" }), {});
  assert.deepEqual(deprecationHeaders({ "dev.fettle/deprecation": { since: "soon", sunset: 5 } }), {});
});
