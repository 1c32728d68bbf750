import type { Content } from "@fettle/contract";
import { type ContentBlock, specTypeSchemas } from "@modelcontextprotocol/server";

/**
 * A block as MCP has it, without members of the author's own. Undefined where it isn't one, for example an image whose data isn't base64: then
 * the SDK would refuse the whole answer.
 */
export function contentBlock(block: Content): ContentBlock | undefined {
  const checked = specTypeSchemas.ContentBlock["~standard"].validate(block);
  return "value" in checked ? checked.value : undefined;
}
