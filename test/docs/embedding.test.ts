import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/embedding.md"), "utf8");
const shown = new Map([...page.matchAll(/^\[examples\/(\S+)\]\(\S+\).*:\n\n```js\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => [name, text]));

for (const name of readdirSync(join(root, "examples")).filter((file) => file.endsWith(".mjs"))) {
  test(`docs/embedding.md shows examples/${name} as it is`, () => {
    assert.equal(shown.get(name), readFileSync(join(root, "examples", name), "utf8"));
  });
}

test("every function that docs/embedding.md names is exported by fettle/embed", () => {
  const { "fettle/embed": exported }: Record<string, string[]> = JSON.parse(readFileSync(join(root, "test/publicSurface.json"), "utf8"));
  const named = [...page.matchAll(/^\| `(\w+)\(/gm)].map(([, name = ""]) => name);
  assert.equal(named.length, 5);
  for (const name of named) assert.ok(exported?.includes(name), name);
});
