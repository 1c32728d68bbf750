import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Diagnostic } from "@fettle/contract";
import { v1 } from "@fettle/spec-types/schemas";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { plain } from "../paint.js";
import { github } from "./github.js";
import { json } from "./json.js";
import { pretty, summaryLine } from "./pretty.js";
import { inReadingOrder, type Report, summarise } from "./report.js";
import { sarif } from "./sarif.js";
import { shownPath, shownPaths } from "./shownPath.js";

const unknownKey: Diagnostic = {
  code: "spec/unknown-key",
  severity: "error",
  file: "tools/git_log.tool.yaml",
  line: 3,
  column: 3,
  endLine: 3,
  endColumn: 10,
  message: '"retires" is not a key here',
  hint: 'Did you mean "retries"?',
  rule: "T-FIELD-1",
};
const tricky: Diagnostic = {
  code: "spec/bad-yaml",
  severity: "warning",
  file: "tools/100%, a:b/ä.tool.yaml",
  line: 1,
  column: 1,
  endLine: 2,
  endColumn: 5,
  message: "50% of\r\nit, see: this",
};
const bare: Diagnostic = { code: "spec/unreadable", severity: "note", file: "/elsewhere/a b", line: 1, column: 1, message: "The folder can't be read" };

const report = (...diagnostics: Diagnostic[]): Report => ({
  diagnostics,
  summary: summarise(diagnostics, 7, 3),
  source: (file) => (file === unknownKey.file ? "limit: 1\n\n  retires: 3\nperformance:\n" : undefined),
});

test("pretty shows head, frame and help of each finding, with a blank line between", () => {
  assert.equal(
    pretty(report(unknownKey, bare), { columns: 120, paint: plain }),
    `error  spec/unknown-key  tools/git_log.tool.yaml:3:3
    2 |
    3 |   retires: 3
      |   ^^^^^^^ "retires" is not a key here. Did you mean "retries"?
    4 | performance:
  help: fettle check --explain spec/unknown-key

note  spec/unreadable  /elsewhere/a b:1:1
  The folder can't be read
  help: fettle check --explain spec/unreadable
`,
  );
  assert.equal(pretty(report(), { columns: 120, paint: plain }), "");
});

test("the last line counts what was found", () => {
  const line = (...found: Diagnostic[]): string => summaryLine(summarise(found, 7, 3), plain);
  assert.equal(line(), "No problems in 3 files: 7 tools can be served.");
  assert.equal(line(unknownKey), "1 error in 3 files: 7 tools can be served.");
  assert.equal(line(unknownKey, unknownKey, tricky, bare), "2 errors, 1 warning and 1 note in 3 files: 7 tools can be served.");
});

test("json holds diagnostics by the schema of the spec, and a summary", () => {
  const parsed = JSON.parse(json(report(unknownKey, tricky, bare)));
  assert.deepEqual(parsed.summary, { errors: 1, warnings: 1, notes: 1, tools: 7, files: 3 });
  assert.deepEqual(parsed.diagnostics[0], {
    code: "spec/unknown-key",
    severity: "error",
    file: "tools/git_log.tool.yaml",
    line: 3,
    column: 3,
    end_line: 3,
    end_column: 10,
    message: '"retires" is not a key here',
    hint: 'Did you mean "retries"?',
    rule: "T-FIELD-1",
  });
  const validate = new Ajv2020({ strict: false }).compile(v1.diagnostic);
  for (const diagnostic of parsed.diagnostics) assert.ok(validate(diagnostic), JSON.stringify(validate.errors));
});

test("github escapes messages and properties, and gives no columns of a range over several lines", () => {
  assert.equal(
    github(report(unknownKey, tricky, bare)),
    `::error file=tools/git_log.tool.yaml,line=3,endLine=3,col=3,endColumn=10,title=spec/unknown-key::"retires" is not a key here. Did you mean "retries"?
::warning file=tools/100%25%2C a%3Ab/ä.tool.yaml,line=1,endLine=2,title=spec/bad-yaml::50%25 of%0D%0Ait, see: this
::notice file=/elsewhere/a b,line=1,col=1,title=spec/unreadable::The folder can't be read
`,
  );
});

test("sarif is valid by the schema of SARIF 2.1.0", () => {
  const text = sarif(report(unknownKey, tricky, bare), {
    version: "1.2.3",
    codeInfo: (code) => (code === "spec/unknown-key" ? { message: "No such key.", hint: "Mend it." } : undefined),
  });
  const log = JSON.parse(text);
  const schemaFile = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  // The schema is draft-04, of which it uses nothing that draft-07 reads otherwise.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(schemaFile, "utf8"));
  const validate = ajv.compile(schema);
  assert.ok(validate(log), JSON.stringify(validate.errors, null, 2));
  assert.ok(validate(JSON.parse(sarif(report(), { version: "1.2.3", codeInfo: () => undefined }))));

  const [run] = JSON.parse(text).runs;
  assert.deepEqual(
    run.tool.driver.rules.map((rule: { id: string }) => rule.id),
    ["spec/bad-yaml", "spec/unknown-key", "spec/unreadable"],
  );
  assert.equal(run.tool.driver.rules[1].shortDescription.text, "No such key.");
  const [first, second, third] = run.results;
  assert.equal(first.ruleIndex, 1);
  assert.deepEqual(first.locations[0].physicalLocation, {
    artifactLocation: { uri: "tools/git_log.tool.yaml", uriBaseId: "%SRCROOT%" },
    region: { startLine: 3, startColumn: 3, endLine: 3, endColumn: 10 },
  });
  assert.equal(second.locations[0].physicalLocation.artifactLocation.uri, "tools/100%25%2C%20a%3Ab/%C3%A4.tool.yaml");
  assert.equal(third.locations[0].physicalLocation.artifactLocation.uri, "file:///elsewhere/a%20b");
  assert.equal(third.level, "note");
});

test("a report reads like the files do", () => {
  const at = (file: string, line: number, column: number, code = "a/a"): Diagnostic => ({ code, severity: "note", file, line, column, message: "m" });
  const sorted = inReadingOrder([at("b", 1, 1), at("a", 2, 1), at("a", 1, 9, "a/b"), at("a", 1, 9), { ...at("a", 1, 9, "z/z"), severity: "error" }]);
  assert.deepEqual(
    sorted.map(({ file, line, code }) => `${file}:${line} ${code}`),
    ["a:1 z/z", "a:1 a/a", "a:1 a/b", "a:2 a/a", "b:1 a/a"],
  );
});

test("paths are shown relative to the working folder where they are inside of it", () => {
  assert.equal(shownPath("/home/me/p/tools/x.tool.yaml", "/home/me/p"), "tools/x.tool.yaml");
  assert.equal(shownPath("/home/me/other/x", "/home/me/p"), "/home/me/other/x");
  assert.equal(shownPath("/home/me/p", "/home/me/p"), ".");
  assert.equal(shownPath("/home/me/p/..odd", "/home/me/p"), "..odd");
  assert.equal(shownPath("tools/x", "/home/me/p"), "tools/x");
});

test("paths inside of a text are shown relative to the working folder too, and others stay", () => {
  assert.equal(shownPaths("Run node '/p.q/tools/a b.mjs' (/p.q/lib/c.mjs:1:2)", "/p.q"), "Run node 'tools/a b.mjs' (lib/c.mjs:1:2)");
  for (const text of ["/other/p.q/x", "/pxq/x", "/p.qr/x", "in /p.q"]) assert.equal(shownPaths(text, "/p.q"), text);
  assert.equal(shownPaths("the path /mcp", "/"), "the path /mcp");
});
