import type { InputRequest, JsonObject } from "@fettle/contract";
import { isJsonObject } from "../isJsonObject.js";

/** What an answer to one question must look like. It travels with the question, so that any replica can check the answer. */
export interface ExpectedAnswer {
  readonly method: InputRequest["method"];
  /** JSON Schema of what a form holds. */
  readonly schema?: JsonObject;
}

/** By the keys of the questions. */
export type ExpectedAnswers = Readonly<Record<string, ExpectedAnswer>>;

/** What the answers to these questions must look like. */
export function expectedAnswers(requests: Readonly<Record<string, InputRequest>>): ExpectedAnswers {
  return Object.fromEntries(Object.entries(requests).map(([key, request]) => [key, expectedAnswer(request)]));
}

function expectedAnswer({ method, params }: InputRequest): ExpectedAnswer {
  const schema = params?.["requestedSchema"];
  return { method, ...(method === "elicitation/create" && params?.["mode"] !== "url" && isJsonObject(schema) && { schema }) };
}
