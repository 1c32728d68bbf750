import type { JsonPath } from "@fettle/contract";
import { formatPath, type Problem } from "@fettle/schema";

/** What a validator gave is no answer. Its message goes to the log: `gave a number`. */
export class UnsoundAnswer extends Error {}

/** More than a line of the message shows. */
const LONGEST = 1_000;

/**
 * What a validator's answer says of a value: undefined where it is fine.
 *
 * @throws UnsoundAnswer where the answer is none
 */
export function fieldProblem(path: JsonPath, answer: unknown): Problem | undefined {
  if (answer === undefined || answer === null || answer === true) return undefined;
  const { message, fix } = partsOf(answer);
  const place = formatPath(path);
  const told = fix === undefined ? message : `${message}${/[.!?]$/.test(message) ? "" : "."} ${fix}`;
  return { path, place, keyword: "custom", message: `${place}: ${told}`, schema: true };
}

function partsOf(answer: unknown): { readonly message: string; readonly fix: string | undefined } {
  if (typeof answer === "string") return { message: lineOf(answer, "an empty text"), fix: undefined };
  if (typeof answer !== "object" || answer === null) throw new UnsoundAnswer(`gave ${answer === false ? "false, which says nothing" : `a ${typeof answer}`}`);
  // It was meant to be thrown, and its message is for the log.
  if (isError(answer)) throw new UnsoundAnswer("gave an Error in place of an answer");
  const { message, fix } = answer as { readonly message?: unknown; readonly fix?: unknown };
  if (typeof message !== "string") throw new UnsoundAnswer(`gave ${Array.isArray(answer) ? "a list" : "an object without a message"}`);
  if (fix !== undefined && typeof fix !== "string") throw new UnsoundAnswer("gave a fix that is no text");
  return { message: lineOf(message, "an empty message"), fix: fix === undefined ? undefined : lineOf(fix, "an empty fix") };
}

/** A text as a part of a line. */
function lineOf(text: string, empty: string): string {
  const line = text
    .slice(0, LONGEST)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line === "") throw new UnsoundAnswer(`gave ${empty}`);
  return line;
}

/** Also one of another realm, where `instanceof` fails. */
function isError(value: object): boolean {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}
