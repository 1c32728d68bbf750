import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { addPlugin } from "./addPlugin.js";

const add = (text: string): string => addPlugin(text, "./plugins/new.mjs") ?? assert.fail("it could not be added");

test("a plugin is added after the others, and every other byte stays", () => {
  const before = `# The config.
server:   { name: a }   # with blanks


plugins:
    # First.
    - use: "@fettle/plugin-validation"   # checks
    - use: ./other.mjs
      with:
        text: |
          two
          lines

      # Its end.
tools: [ tools ]  # last
`;
  const after = add(before);
  assert.equal(after, before.replace("          lines\n", "          lines\n    - use: ./plugins/new.mjs\n"));
});

test("a list without indentation, at the very end of a file, keeps its look", () => {
  assert.equal(add("plugins:\n- use: a # why"), "plugins:\n- use: a # why\n- use: ./plugins/new.mjs");
  assert.equal(add("plugins:\r\n  - use: a\r\ntools: [b]\r\n"), "plugins:\r\n  - use: a\r\n  - use: ./plugins/new.mjs\r\ntools: [b]\r\n");
});

test("a config without plugins gets the list at its end", () => {
  assert.equal(add(""), "plugins:\n  - use: ./plugins/new.mjs\n");
  assert.equal(add("# nothing yet\n"), "# nothing yet\nplugins:\n  - use: ./plugins/new.mjs\n");
  assert.equal(add("tools: [a]"), "tools: [a]\nplugins:\n  - use: ./plugins/new.mjs\n");
});

test("a list in brackets or an empty one is written anew, with its comments", () => {
  for (const text of [
    "# top\nplugins: [{ use: a }] # list\ntools: [b] # end\n",
    "# top\nplugins: # list\ntools: [b] # end\n",
    '{ "tools": ["b"] } # top list end\n',
  ]) {
    const after = add(text);
    const { plugins, tools } = parse(after);
    assert.deepEqual([plugins.at(-1), tools], [{ use: "./plugins/new.mjs" }, ["b"]], after);
    for (const word of ["top", "list", "end"]) assert.ok(after.includes(word), after);
  }
});

test("where the list can't be added to, nothing is changed", () => {
  assert.equal(addPlugin("x: &a [{ use: b }]\nplugins: *a\n", "./new.mjs"), undefined);
  assert.equal(addPlugin("plugins: {\n", "./new.mjs"), undefined);
  assert.equal(addPlugin("a: 1\n---\nb: 2\n", "./new.mjs"), undefined);
});

test("a path with characters that YAML reads is quoted", () => {
  assert.deepEqual(parse(addPlugin("plugins:\n  - use: a\n", "./a #b: c.mjs") ?? "").plugins[1], { use: "./a #b: c.mjs" });
});
