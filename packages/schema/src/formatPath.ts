import type { JsonPath } from "@fettle/contract";
import { cutText } from "./showValue.js";

/** Of most keys; tried first, since it is the faster one. */
const ASCII_KEY = /^[A-Za-z_$][\w$-]*$/;
const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

const LONGEST_NAME = 64;

/**
 * A path as JavaScript writes it: `items[0].quantity`, `headers["x y"]`. The root is the empty string.
 */
export function formatPath(path: JsonPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (!isPlain(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}

/** A key by itself, as a list of names has it: `ref`, `"x, y"`. Longer ones than 64 characters are cut. */
export function formatName(key: string): string {
  const cut = cutText(key, LONGEST_NAME);
  return isPlain(key) ? cut : JSON.stringify(cut);
}

function isPlain(key: string): boolean {
  return ASCII_KEY.test(key) || PLAIN_KEY.test(key);
}
