import { isDeepStrictEqual } from "node:util";
import { type Content, internalError, type JsonObject, type Outcome, renderToolError, type ToolError } from "@fettle/contract";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

/** An outcome that ends a call. */
export type FinalOutcome = Exclude<Outcome, { readonly kind: "input_required" }>;

/** What the making of a result needs of its surroundings. */
export interface ResultSurroundings {
  /** The SDK's projection for the era: before 2026-07-28 structuredContent has to be an object. */
  project(result: CallToolResult): CallToolResult;
  /** A block that is no plain text, checked; undefined where MCP has no such block. */
  toBlock(block: Content): ContentBlock | undefined;
  /** Told when a tool gave content that can't be sent. */
  report(error: Error): void;
}

/**
 * What a call's outcome is on the wire. Data goes out as structuredContent and as text; an error as isError with everything a model needs in
 * the text, and the ToolError under `_meta["dev.fettle/error"]`, never in structuredContent: clients check that against the output schema (typescript-sdk#2748).
 */
export function toCallToolResult(outcome: FinalOutcome, surroundings: ResultSurroundings): CallToolResult {
  const meta = metaOf(outcome);
  switch (outcome.kind) {
    case "ok":
      return okResult(outcome, meta, surroundings);
    case "error":
      return errorResult(outcome.error, meta);
  }
}

/** What should reach the client beside an outcome: the result's `_meta`. */
export function metaOf({ tool, meta }: Outcome): JsonObject | undefined {
  if (tool === undefined) return meta;
  return { ...meta, "dev.fettle/version": tool.version };
}

function okResult(
  { tool, data, content = [] }: Extract<Outcome, { kind: "ok" }>,
  meta: JsonObject | undefined,
  { project, toBlock, report }: ResultSurroundings,
): CallToolResult {
  const blocks = content.map((block) => (isPlainText(block) ? ({ type: "text", text: block.text } as const) : toBlock(block)));
  const sound = blocks.filter((block) => block !== undefined);
  if (sound.length < blocks.length) {
    const error = unsoundContent(blocks.indexOf(undefined), content);
    report(new Error(`${tool?.name ?? "A tool"}: ${error.message}`));
    return errorResult(error.toToolError(), meta);
  }
  const extras = meta !== undefined && { _meta: { ...meta } };
  if (data === undefined) return { content: sound, ...extras };
  // Clients that know no structuredContent get the same as text, unless the author's text already is that.
  const text = JSON.stringify(data);
  if (!sound.some((block) => block.type === "text" && isJsonOf(block.text, text, data))) sound.push({ type: "text", text });
  return project({ content: sound, structuredContent: data, ...extras });
}

/** Whether a text is the JSON of `data`, however it is spaced. */
function isJsonOf(text: string, json: string, data: unknown): boolean {
  if (text === json) return true;
  if (text.length < json.length) return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), data);
  } catch {
    return false;
  }
}

/** A failed call as a result: everything that a model needs is in the text. */
export function errorResult(error: ToolError, meta: JsonObject | undefined): CallToolResult {
  return {
    content: [{ type: "text", text: renderToolError(error) }],
    isError: true,
    _meta: { ...meta, "dev.fettle/error": { ...error } },
  };
}

/** Whether a block is text and nothing else, and so fit to be sent. */
export function isPlainText(block: Content): block is { readonly type: "text"; readonly text: string } {
  return block.type === "text" && block.annotations === undefined && block._meta === undefined && typeof block.text === "string";
}

function unsoundContent(index: number, content: readonly Content[]): ReturnType<typeof internalError> {
  const type: unknown = content[index]?.type;
  const named = typeof type === "string" && /^[a-z_]{1,20}$/.test(type) ? ` (${type})` : "";
  return internalError("mcp/unsound-content", {
    what: `The tool gave a result that can't be sent: its content block ${index}${named} isn't one that MCP knows.`,
    why: "this is a fault of the tool, not of the call",
    fix: "Tell whoever keeps this tool: content blocks are text, image, audio, resource_link or resource, and data and blob are base64.",
  });
}
