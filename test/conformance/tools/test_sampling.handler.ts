import { type HandlerContext, needInput } from "fettle";
import { modelText } from "./answers.js";
import { prompt, requireAsking } from "./questions.js";

export default (args: { prompt: string }, ctx: HandlerContext) => {
  const said = modelText(ctx.inputs, "answer");
  if (said !== undefined) return `LLM response: ${said}`;
  requireAsking(ctx, "sampling/createMessage");
  return needInput({ requests: { answer: prompt(args.prompt, 100) } });
};
