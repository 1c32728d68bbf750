import assert from "node:assert/strict";
import { test } from "node:test";
import { v1Rules } from "@fettle/spec-types/schemas";

// `fettle check --explain E-KEY-1` printed "Nothing else is.", which said nothing without the rule before it.
for (const [id, text] of Object.entries(v1Rules)) {
  test(`${id} can be read by itself, as --explain prints it`, () => {
    assert.doesNotMatch(text, /^(It|They|So|Both|All|Nothing|Dates|The (other|effects)\b)/);
    assert.doesNotMatch(text, /\b(above|below|here|these|one of the (three|four|seven)|the (two|three|four|five|other (two|three|four|five)))\b/i);
  });
}
