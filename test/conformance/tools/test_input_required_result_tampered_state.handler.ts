import { type HandlerContext, needInput } from "fettle";
import { formAnswer } from "./answers.js";
import { form } from "./questions.js";

// It doesn't check the state: the server signs it, and refuses a changed one before this runs.
export default (_args: unknown, { inputs, inputState }: HandlerContext) => {
  const answer = formAnswer(inputs, "confirm");
  if (answer && inputState !== undefined) return `The user said: ${answer.action}, and the state came back.`;
  return needInput({ requests: { confirm: form("Please confirm", { ok: { type: "boolean" } }, ["ok"]) }, state: "guarded" });
};
