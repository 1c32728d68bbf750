import assert from "node:assert/strict";
import { test } from "node:test";
import { createSchemaEngine } from "@fettle/schema";
import { v1 } from "@fettle/spec-types/schemas";
import { checkShape } from "./checkShape.js";
import { parseYaml } from "./parseYaml.js";

const engine = createSchemaEngine({ problems: 200 });
const told = (schema: Readonly<Record<string, unknown>>, text: string): string[] => {
  const { document } = parseYaml("f.yaml", text);
  assert.ok(document);
  const found = checkShape(engine, schema as never, document, { namespace: "config", keyRule: "C-KEY-1" });
  return found.map(({ code, path, message, hint }) => `${code.slice(7)} ${path?.join(".")}: ${message}. ${hint}`);
};

for (const [text, expected] of [
  ["tolls: [a]\n", 'unknown-key tolls: "tolls" is not a key here. Did you mean "tools"?'],
  [
    "zzzz: 1\n",
    'unknown-key zzzz: "zzzz" is not a key here. Keys that can be added here: spec_version, server, tools, plugins, strict, timeout_ms, cache, http, wire.',
  ],
  ["tools: a\n", 'wrong-type tools: must be a list, got "a". Write it as a list: [a]'],
  ["tools: a, b\n", 'wrong-type tools: must be a list, got "a, b". Write it as a list: ["a, b"]'],
  [
    "tools: []\n",
    "too-short tools: must hold at least 1 item, holds none. Wanted here: Folders that are searched for *.tool.yaml. Default: the folder of the config.",
  ],
  ["plugins: [x]\n", 'wrong-type plugins.0: must be keys and values, got "x". Write keys and values: One plugin and its options.'],
  ["plugins: [{}]\n", 'missing-field plugins.0: "use" is missing. Add it: A package name or a path relative to this file.'],
  ["plugins:\n", "wrong-type plugins: must be a list, got nothing. Write a list: The plugins in order; within a position the first is outermost."],
  ["strict: yes\n", 'wrong-type strict: must be true or false, got "yes". Write true.'],
  ["strict: Off\n", 'wrong-type strict: must be true or false, got "Off". Write false.'],
  ["timeout_ms: '5'\n", 'wrong-type timeout_ms: must be a whole number, got "5". Take the quotes off: 5'],
  [
    "timeout_ms: 5.50\n",
    "wrong-type timeout_ms: must be a whole number, got the number 5.50. Write a whole number: Time limit of one call in milliseconds for tools that set none. Default 60,000.",
  ],
  ["server: { version: 1.10 }\n", 'wrong-type server.version: must be a text, got the number 1.10. Put it in quotes: "1.10"'],
  ["server: { version: true }\n", 'wrong-type server.version: must be a text, got true. Put it in quotes: "true"'],
  ["server: { name: [a] }\n", "wrong-type server.name: must be a text, got a list. Write a text: The server's name. Default: the name of the config's folder."],
  ["http: { host: '' }\n", "too-short http.host: must not be empty. Write it: Address to listen on. Default 127.0.0.1."],
  ["http: { port: 70000 }\n", "out-of-range http.port: must be at most 65535, got 70000. Wanted here: Port to listen on; 0 picks one. Default 3000."],
] as const) {
  test(`${JSON.stringify(text)} in a config is told with what was written and what to write`, () => assert.deepEqual(told(v1.config, text), [expected]));
}

const description = "As it should be.";
for (const [schema, value, expected] of [
  [{ const: true }, "false", "wrong-value a: must be true, got false. Write true."],
  [{ const: true, description }, "false", "wrong-value a: must be true, got false. Wanted here: As it should be."],
  [{ enum: ["basic", "advanced"] }, "basics", 'wrong-value a: "basics" is not one of basic, advanced. Did you mean "basic"?'],
  [{ enum: ["fast", "slow"] }, "7", "wrong-value a: 7 is not one of fast, slow. Take one of them."],
  [{ pattern: "^x", description }, "y", 'bad-format a: "y" has the wrong form. Wanted here: As it should be.'],
  [{ format: "date" }, "2026/01/01", 'bad-format a: "2026/01/01" is not a valid date. Write a day that exists, like 2026-12-31.'],
  [{ maxLength: 2 }, "xyz", "too-long a: has 3 characters, at most 2 are allowed. Shorten it."],
  [{ minLength: 2, description }, "x", "too-short a: has 1 character, at least 2 are needed. Write it: As it should be."],
  [{ maxItems: 1 }, "[1, 2]", "too-long a: must hold at most 1 item, holds 2. Take the others out."],
  [{ maxProperties: 1 }, "{b: 1, c: 2}", "too-long a: must have at most 1 key, has 2. Take the others out."],
  [{ minProperties: 2, description }, "{b: 1}", "too-short a: must have at least 2 keys, has 1. Wanted here: As it should be."],
  [{ uniqueItems: true }, "[x, y, x]", 'duplicate-item a: holds "x" twice. Keep one of the two.'],
  [{ exclusiveMinimum: 0, description }, "0", "out-of-range a: must be more than 0, got 0. Wanted here: As it should be."],
  [{ type: ["string", "null"] }, "5", 'wrong-type a: must be a text or empty, got the number 5. Put it in quotes: "5"'],
  [{ type: "array", items: { type: "object" }, description }, "x", 'wrong-type a: must be a list, got "x". Write a list: As it should be.'],
  [
    { type: "boolean", description },
    `"${"x".repeat(80)}"`,
    `wrong-type a: must be true or false, got "${"x".repeat(56)}.... Write true or false: As it should be.`,
  ],
] as const) {
  test(`${JSON.stringify(schema)} that isn't met reads well`, () => assert.deepEqual(told({ properties: { a: schema } }, `a: ${value}\n`), [expected]));
}

test("a key that nobody knows may be the section of a plugin, where it stands at the top of a spec and has keys itself", () => {
  const hints = (text: string): string[] => told(v1.tool as never, text).filter((each) => /is not a key here/.test(each));
  assert.deepEqual(hints("quota: { per_minute: 3 }\n"), [
    'unknown-key quota: "quota" is not a key here. Take it out, mend its spelling, or switch on the plugin whose section it is.',
  ]);
  assert.deepEqual(hints("quota: 3\n"), ['unknown-key quota: "quota" is not a key here. Take it out, or mend its spelling.']);
});
