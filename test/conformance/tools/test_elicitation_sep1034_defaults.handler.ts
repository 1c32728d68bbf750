import { type HandlerContext, needInput } from "fettle";
import { formAnswer } from "./answers.js";
import { form, requireAsking } from "./questions.js";

const FIELDS = {
  name: { type: "string", description: "User name", default: "John Doe" },
  age: { type: "integer", description: "User age", default: 30 },
  score: { type: "number", description: "User score", default: 95.5 },
  status: { type: "string", description: "User status", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", description: "Whether the user was verified", default: true },
};

export default (_args: unknown, ctx: HandlerContext) => {
  const answer = formAnswer(ctx.inputs, "profile");
  if (answer) return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`;
  requireAsking(ctx, "elicitation/create");
  return needInput({ requests: { profile: form("Please check these and send them.", FIELDS) } });
};
