import { type HandlerContext, needInput } from "fettle";
import { formAnswer } from "./answers.js";
import { form } from "./questions.js";

const STATE = "waiting for ok";

export default (_args: unknown, { inputs, inputState }: HandlerContext) => {
  const answer = formAnswer(inputs, "confirm");
  if (answer && inputState === STATE) return `state-ok, and the user said: ${answer.action}`;
  return needInput({ requests: { confirm: form("Please confirm", { ok: { type: "boolean" } }, ["ok"]) }, state: STATE });
};
