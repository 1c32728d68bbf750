import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { definePlugin, type Listing } from "@fettle/contract";
import { type TestTool, testKernel } from "@fettle/testkit";
import { ToolLists } from "./toolLists.js";

const CALLER = { tenant: "default", principal: "anonymous", scopes: [] };
const many = (count: number): Record<string, TestTool> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`tool_${String(i).padStart(4, "0")}`, () => ({})]));

describe("the list of tools", () => {
  test("comes in pages of 100 at least, in the same order each time, each tool once", async () => {
    const { kernel } = await testKernel({ tools: many(250) });
    const lists = new ToolLists(kernel);
    const sizes: number[] = [];
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await lists.page(CALLER, cursor);
      sizes.push(page.tools.length);
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [100, 100, 50]);
    assert.deepEqual(names, Object.keys(many(250)));
    assert.equal((await new ToolLists((await testKernel({ tools: many(100) })).kernel).page(CALLER, undefined)).nextCursor, undefined);
    lists.close();
  });

  test("pages as large as the config says", async () => {
    const { kernel } = await testKernel({ tools: many(150), wire: { page_size: 150 } });
    assert.equal((await new ToolLists(kernel).page(CALLER, undefined)).tools.length, 150);
  });

  test("a cursor that no list gave out is refused with what to do", async () => {
    const { kernel } = await testKernel({ tools: many(3) });
    const lists = new ToolLists(kernel);
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const cursor of ["", "rubbish", 5, null, {}, encode([1]), encode(["1", "a"]), encode({}), "x".repeat(10_000)]) {
      await assert.rejects(lists.page(CALLER, cursor), (error: Error & { code?: unknown }) => error.code === -32602 && /without a cursor/.test(error.message));
    }
  });

  test("a cursor survives a reload: the page goes on after the same tool, and says so when that is gone", async () => {
    const { kernel, memory } = await testKernel({ tools: many(250) });
    const lists = new ToolLists(kernel);
    const { nextCursor } = await lists.page(CALLER, undefined);
    memory.add("aaa", () => ({}));
    await kernel.reload();
    assert.equal((await lists.page(CALLER, nextCursor)).tools[0]?.name, "tool_0100");
    memory.remove("tool_0099");
    await kernel.reload();
    await assert.rejects(lists.page(CALLER, nextCursor), /place in it is gone/);
  });

  test("is composed once and composed anew when it changed", async () => {
    const { kernel, memory } = await testKernel({ tools: many(2) });
    const lists = new ToolLists(kernel);
    const first = await lists.page(CALLER, undefined);
    assert.equal((await lists.page({ ...CALLER, principal: "another" }, undefined)).tools, first.tools);
    memory.add("tool_0000", { handler: () => ({}), description_short: "It does something else now." });
    await kernel.reload();
    const second = await lists.page(CALLER, undefined);
    assert.notEqual(second.tools, first.tools);
    assert.match(second.tools[0]?.description ?? "", /something else/);
  });

  test("shows what plugins say of a tool: its name, a lead and _meta; views of callers don't mix", async () => {
    const plugin = definePlugin({
      name: "views",
      options: {},
      create: () => ({
        name: "views",
        position: "observe" as const,
        setup: () => ({
          listTools: async ({ caller }, next) => {
            const listings: Listing[] = [...(await next())];
            const [tool] = listings;
            if (tool === undefined) return listings;
            return caller.principal === "admin"
              ? [{ ...tool, name: "tool_v1", lead: "Deprecated: use `other`.", meta: { "dev.fettle/deprecation": { since: "2026-01-01" } } }, tool]
              : [tool];
          },
        }),
      }),
    });
    const { kernel } = await testKernel({ tools: many(1), plugins: [plugin()] });
    const lists = new ToolLists(kernel);
    const { tools } = await lists.page({ ...CALLER, principal: "admin" }, undefined);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["tool_v1", "tool_0000"],
    );
    assert.match(tools[0]?.description ?? "", /^Deprecated: use `other`\./);
    assert.deepEqual(tools[0]?._meta, { "dev.fettle/deprecation": { since: "2026-01-01" } });
    assert.equal(tools[1]?._meta, undefined);
    assert.equal((await lists.page(CALLER, undefined)).tools.length, 1);
  });

  test("shows schemas as authored, or with references written out where the config says so", async () => {
    const parameters = {
      type: "object",
      properties: { at: { $ref: "#/$defs/point", description: "Where." } },
      $defs: { point: { type: "object", properties: { x: { type: "number" } } } },
    };
    const tools = { point: { handler: () => ({}), parameters, effects: { read_only: false, destructive: true, open_world: true } } };
    const authored = await new ToolLists((await testKernel({ tools })).kernel).page(CALLER, undefined);
    assert.deepEqual(authored.tools[0]?.inputSchema, parameters);
    assert.deepEqual(authored.tools[0]?.annotations, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true });
    const inlined = await new ToolLists((await testKernel({ tools, wire: { inline_refs: true } })).kernel).page(CALLER, undefined);
    assert.deepEqual(inlined.tools[0]?.inputSchema, {
      type: "object",
      properties: { at: { type: "object", properties: { x: { type: "number" } }, description: "Where." } },
    });
  });

  test("keeps descriptions within the config's budget", async () => {
    const tools = { wordy: { handler: () => ({}), description_detailed: "This sentence is forty characters long. ".repeat(60) } };
    const page = await new ToolLists((await testKernel({ tools, wire: { description_budget: 200 } })).kernel).page(CALLER, undefined);
    assert.ok((page.tools[0]?.description.length ?? 0) <= 200);
  });
});
