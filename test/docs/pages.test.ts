import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const find = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return /^(node_modules|dist|coverage|\..*)$/.test(entry.name) ? [] : find(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });

for (const page of find("")) {
  const text = readFileSync(join(root, page), "utf8");
  // What is quoted as code isn't prose.
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");

  test(`every relative link of ${page} leads somewhere`, () => {
    const links = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link ?? "").filter((link) => !/^\w+:/.test(link));
    assert.deepEqual(
      links.filter((link) => !existsSync(join(root, dirname(page), link))),
      [],
    );
  });

  test(`${page} doesn't tell its readers that something is easy`, () => {
    // CONTRIBUTING names the words to say that they are not used.
    const own = page === "CONTRIBUTING.md" ? prose.replace("the words just, easy and simply", "") : prose;
    assert.doesNotMatch(own, /\b(just|easy|easily|simply)\b/i);
  });
}

test("every decision is in the list of decisions", () => {
  const list = readFileSync(join(root, "docs/adr/README.md"), "utf8");
  for (const name of readdirSync(join(root, "docs/adr"))) if (name !== "README.md") assert.ok(list.includes(`(${name})`), name);
});

test("ARCHITECTURE.md names every package and plugin folder", () => {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  for (const name of readdirSync(join(root, "packages"))) assert.ok(page.includes(`packages/${name}\``), name);
});
