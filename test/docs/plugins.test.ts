import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { guideFile } from "../support/pluginGuide.js";
import { followPage, testInInitProject } from "./followPage.js";

const folder = followPage("docs/plugins.md");

test("what docs/plugins.md ends with is the plugin that test/e2e/matrix.test.ts runs beside all others", () => {
  assert.equal(readFileSync(join(folder, "freeze.mjs"), "utf8"), guideFile("freeze.mjs"));
});

testInInitProject("docs/plugins.md");
