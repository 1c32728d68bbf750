import type { JsonObject } from "@fettle/contract";
import { type CheckOptions, formatPath, type SchemaEngine, showValue } from "@fettle/schema";
import { isJsonObject } from "../isJsonObject.js";
import type { ExpectedAnswer } from "./expectedAnswers.js";

/** One thing that is wrong with an answer. */
export interface AnswerProblem {
  /** Where: `content.age`, or an empty string for the answer as a whole. */
  readonly field: string;
  readonly message: string;
}

/** What a person typed is taken as it is: the host has filled in the defaults that it showed. */
const AS_IT_IS: CheckOptions = { repair: false, defaults: false, words: { root: "content", key: "field" } };
const NO_ANSWER: AnswerProblem = {
  field: "",
  message:
    "expected the result of elicitation/create, sampling/createMessage or roots/list: an object with action, with role, content and model, or with roots",
};
const ACTIONS = ["accept", "decline", "cancel"];

/** What is wrong with an answer to a question; nothing for one that fits. */
export function checkAnswer(engine: SchemaEngine, answer: unknown, expected: ExpectedAnswer): readonly AnswerProblem[] {
  if (!isJsonObject(answer)) return [NO_ANSWER];
  switch (expected.method) {
    case "elicitation/create":
      return checkElicited(engine, answer, expected.schema);
    case "sampling/createMessage":
      return checkSampled(answer);
    case "roots/list":
      return checkRoots(answer);
  }
}

function checkElicited(engine: SchemaEngine, { action, content }: JsonObject, schema: JsonObject | undefined): readonly AnswerProblem[] {
  if (typeof action !== "string" || !ACTIONS.includes(action)) return [wrong("action", 'one of "accept", "decline", "cancel"', action)];
  if (action !== "accept" || schema === undefined) return [];
  if (content !== undefined && !isJsonObject(content)) return [wrong("content", "an object", content)];
  const checked = engine.compile(schema).check(content ?? {}, AS_IT_IS);
  if (checked.valid) return [];
  return checked.problems.map(({ path, key, message }) => ({ field: formatPath(["content", ...path, ...(key === undefined ? [] : [key])]), message }));
}

function checkSampled({ role, content, model }: JsonObject): readonly AnswerProblem[] {
  const problems: AnswerProblem[] = [];
  if (role !== "assistant" && role !== "user") problems.push(wrong("role", '"assistant" or "user"', role));
  if (typeof model !== "string") problems.push(wrong("model", "the name of a model", model));
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every((block) => isJsonObject(block) && typeof block["type"] === "string"))
    problems.push(wrong("content", "a content block, or a list of them", content));
  return problems;
}

function checkRoots({ roots }: JsonObject): readonly AnswerProblem[] {
  const sound = Array.isArray(roots) && roots.every((root) => isJsonObject(root) && typeof root["uri"] === "string");
  return sound ? [] : [wrong("roots", "a list of roots, each with a uri", roots)];
}

function wrong(field: string, expected: string, got: unknown): AnswerProblem {
  const found = got === undefined ? "and it is missing" : `got ${showValue(got)}`;
  return { field, message: `${field}: expected ${expected}, ${found}` };
}
