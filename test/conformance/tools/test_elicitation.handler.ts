import { type HandlerContext, needInput } from "fettle";
import { formAnswer } from "./answers.js";
import { form, requireAsking } from "./questions.js";

const FIELDS = {
  username: { type: "string", description: "User's response" },
  email: { type: "string", description: "User's email address" },
};

export default (args: { message: string }, ctx: HandlerContext) => {
  const answer = formAnswer(ctx.inputs, "user");
  if (answer) return `User response: action: ${answer.action}, content: ${JSON.stringify(answer.content)}`;
  requireAsking(ctx, "elicitation/create");
  return needInput({ requests: { user: form(args.message, FIELDS, ["username", "email"]) } });
};
