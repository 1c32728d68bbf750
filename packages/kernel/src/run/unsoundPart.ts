import type { Outcome } from "@fettle/contract";
import { isRecord } from "../isRecord.js";
import { isToolErrorThrown, unsoundToolError } from "../thrownToolError.js";
import { toJson } from "../toJson.js";
import { unsoundContent } from "../unsoundContent.js";
import { unsoundQuestion } from "../unsoundQuestion.js";

/**
 * What is wrong with what a layer answered, in words that follow "the plugin"; undefined when it is an outcome that can be sent.
 * The parts that came from further in were looked at there, so an outcome that is passed on costs a comparison.
 */
export function unsoundPart(answer: unknown, inner: Outcome | undefined): string | undefined {
  if (answer === inner && inner !== undefined) return undefined;
  if (!isOutcome(answer)) return `answered with ${isToolErrorThrown(answer) ? "a tool error in place of its outcome()" : "something that is no outcome"}`;
  if (answer.kind === "input_required") {
    const wrong = unsoundQuestion(answer);
    if (wrong !== undefined) return `answered with a question that can't be asked: at ${wrong.path}, ${wrong.problem}`;
  }
  const passed = (inner ?? {}) as Readonly<Record<string, unknown>>;
  if (answer.kind === "error" && answer.error !== passed["error"]) {
    const wrong = unsoundToolError(answer.error);
    if (wrong !== undefined) return `answered with an error that can't be sent: ${wrong}`;
  }
  for (const name of Object.keys(answer)) {
    const part = (answer as Readonly<Record<string, unknown>>)[name];
    if (name === "notes" || name === "tool" || part === undefined || part === passed[name]) continue;
    const json = toJson(part, name);
    if (!json.ok) return `answered with an outcome that can't be sent: at ${json.path}, ${json.problem}`;
  }
  const content = answer.kind === "ok" && answer.content !== passed["content"] ? answer.content : undefined;
  const unsound = content === undefined ? undefined : unsoundContent(content);
  return unsound && `answered with an outcome that can't be sent: at ${unsound.path}, ${unsound.problem}`;
}

function isOutcome(value: unknown): value is Outcome {
  if (!isRecord(value)) return false;
  if (value["meta"] !== undefined && !isRecord(value["meta"])) return false;
  if (value["kind"] === "ok") return true;
  return value["kind"] === "error"
    ? isRecord(value["error"]) && isRecord(value["error"]["details"])
    : value["kind"] === "input_required" && isRecord(value["requests"]);
}
