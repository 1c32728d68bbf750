import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UriTemplate } from "@modelcontextprotocol/server";
import { LONGEST_URI, matchTemplate } from "./matchTemplate.js";

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
