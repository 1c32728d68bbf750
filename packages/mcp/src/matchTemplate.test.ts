import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UriTemplate } from "@modelcontextprotocol/server";
import { LONGEST_URI } from "./longestUri.js";
import { matchTemplate } from "./matchTemplate.js";

describe("URIs are matched with templates", () => {
  const cases: readonly (readonly [template: string, uri: string])[] = [
    ["test://item/{id}", "test://item/7"],
    ["test://item/{id}", "test://item/7/more"],
    ["test://item/{id}", "test://item/"],
    ["test://{+path}/end", "test://a/b/end/end"],
    ["test://{+a}/{+b}", "test://1/2/3"],
    ["test://a{/list*}", "test://a/x,y,z"],
    ["test://a{.kind}", "test://a.txt"],
    ["test://find{?q,page}", "test://find?q=x y&page=2"],
    ["test://find{?q,page}", "test://find?q=x"],
    ["test://a{#part}", "test://a#b"],
    ["test://(a|b)+.$/{x}", "test://(a|b)+.$/1"],
  ];
  for (const [template, uri] of cases)
    test(`as the SDK does: ${template}, ${uri}`, () => {
      const theirs = new UriTemplate(template).match(uri);
      const joined = theirs && Object.fromEntries(Object.entries(theirs).map(([name, value]) => [name, [value].flat().join(",")]));
      assert.deepEqual(matchTemplate(template, uri), joined ?? undefined);
    });

  const decoded: readonly (readonly [template: string, uri: string, variables: Readonly<Record<string, string>>])[] = [
    ["notes:///{id}", "notes:///hello%20w%C3%B6rld", { id: "hello wörld" }],
    ["notes:///{id}", "notes:///a%2Fb", { id: "a/b" }],
    ["notes:///{id}", "notes:///100%", { id: "100%" }],
    ["file:///{+path}", "file:///a/b%20c", { path: "a/b%20c" }],
    ["find:///{?q}", "find:///?q=tea%20%26%20cake", { q: "tea & cake" }],
  ];
  for (const [template, uri, variables] of decoded)
    test(`and what was encoded for a variable is decoded, where nothing is ambiguous: ${template}, ${uri}`, () => {
      assert.deepEqual(matchTemplate(template, uri), variables);
    });

  // With a backtracking engine this takes hours, far beyond what the runner waits.
  test("without backtracking, however many ways there are", { timeout: 60_000 }, () => {
    const template = `junk:///${"{+a}/{+b}/{+c}/".repeat(4)}end`;
    assert.equal(matchTemplate(template, `junk://${"/".repeat(LONGEST_URI - 7)}`), undefined);
    assert.ok(matchTemplate(template, `junk://${"/".repeat(LONGEST_URI - 10)}end`));
  });

  test("up to a length, beyond which none fits", () => {
    assert.ok(matchTemplate("t:{+a}", "t:".padEnd(LONGEST_URI, "x")));
    assert.equal(matchTemplate("t:{+a}", "t:".padEnd(LONGEST_URI + 1, "x")), undefined);
  });
});
