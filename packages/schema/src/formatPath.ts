import type { JsonPath } from "@fettle/contract";

/** Of most keys; tried first, since it is the faster one. */
const ASCII_KEY = /^[A-Za-z_$][\w$-]*$/;
const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/**
 * A path as JavaScript writes it: `items[0].quantity`, `headers["x y"]`. The root is the empty string.
 */
export function formatPath(path: JsonPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (!ASCII_KEY.test(part) && !PLAIN_KEY.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
