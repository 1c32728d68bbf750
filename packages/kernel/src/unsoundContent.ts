import { isRecord } from "./isRecord.js";

/** What is wrong with content, and where in it. */
export interface UnsoundContent {
  /** `content[1].data` */
  readonly path: string;
  readonly problem: string;
}

const TEXT = "it must be a text";
const ADDRESS = "it must be an absolute URI, such as file:///project/notes.md";
const TYPES = "text, image, audio, resource_link or resource";

/** What is wrong with the content blocks of a result; undefined where every client can read them. */
export function unsoundContent(content: unknown): UnsoundContent | undefined {
  if (!Array.isArray(content)) return { path: "content", problem: "it must be a list of content blocks" };
  for (let i = 0; i < content.length; i++) {
    const wrong = unsoundBlock(content[i]);
    if (wrong !== undefined) return { path: `content[${i}]${wrong.member === undefined ? "" : `.${wrong.member}`}`, problem: wrong.problem };
  }
  return undefined;
}

interface Unsound {
  readonly member?: string;
  readonly problem: string;
}

function unsoundBlock(block: unknown): Unsound | undefined {
  if (!isRecord(block)) return { problem: `it must be an object whose type is ${TYPES}` };
  switch (block["type"]) {
    case "text":
      return notText(block, "text");
    case "image":
    case "audio":
      return notText(block, "data") ?? notText(block, "mimeType");
    case "resource_link":
      return notAddress(block) ?? notText(block, "name");
    case "resource":
      return unsoundResource(block["resource"]);
    default:
      return { member: "type", problem: `it must be ${TYPES}` };
  }
}

function unsoundResource(resource: unknown): Unsound | undefined {
  if (!isRecord(resource)) return { member: "resource", problem: "it must be an object with uri, and text or blob" };
  const wrong = notAddress(resource) ?? (resource["blob"] === undefined ? notText(resource, "text") : notText(resource, "blob"));
  return wrong && { member: `resource.${wrong.member}`, problem: wrong.problem };
}

function notText(block: Readonly<Record<string, unknown>>, member: string): Unsound | undefined {
  return typeof block[member] === "string" ? undefined : { member, problem: TEXT };
}

function notAddress({ uri }: Readonly<Record<string, unknown>>): Unsound | undefined {
  return typeof uri === "string" && URL.canParse(uri) ? undefined : { member: "uri", problem: ADDRESS };
}
