import type { HandlerContext, Json, JsonObject } from "fettle";

type Inputs = HandlerContext["inputs"];

/** What the user did with a form; undefined where no answer came, or none of the right shape. */
export function formAnswer(inputs: Inputs, key: string): { readonly action: string; readonly content: JsonObject } | undefined {
  const answer = inputs?.[key];
  if (typeof answer?.["action"] !== "string") return undefined;
  return { action: answer["action"], content: isObject(answer["content"]) ? answer["content"] : {} };
}

/** A text that the user filled into a form and sent. */
export function filledIn(inputs: Inputs, key: string, field: string): string | undefined {
  const value = formAnswer(inputs, key)?.content[field];
  return typeof value === "string" ? value : undefined;
}

/** What the client's model said. */
export function modelText(inputs: Inputs, key: string): string | undefined {
  const content = inputs?.[key]?.["content"];
  return isObject(content) && typeof content["text"] === "string" ? content["text"] : undefined;
}

/** The addresses of the client's roots. */
export function rootUris(inputs: Inputs, key: string): readonly string[] | undefined {
  const roots = inputs?.[key]?.["roots"];
  return Array.isArray(roots) ? roots.flatMap((root) => (isObject(root) && typeof root["uri"] === "string" ? [root["uri"]] : [])) : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
