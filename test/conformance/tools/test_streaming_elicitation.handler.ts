import { type HandlerContext, needInput } from "fettle";
import { formAnswer } from "./answers.js";
import { form, requireAsking } from "./questions.js";

export default (_args: unknown, ctx: HandlerContext) => {
  const answer = formAnswer(ctx.inputs, "go");
  if (answer) return `The user said: ${answer.action}`;
  requireAsking(ctx, "elicitation/create");
  ctx.progress(1, 2, "Waiting for the user");
  return needInput({ requests: { go: form("Shall this go on?", { go: { type: "boolean", description: "Whether to go on" } }, ["go"]) } });
};
