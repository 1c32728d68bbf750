import { type HandlerContext, type InputRequest, needInput } from "fettle";
import { filledIn, modelText } from "./answers.js";
import { form, prompt } from "./questions.js";

const QUESTIONS: Readonly<Record<string, InputRequest>> = {
  user_name: form("What is your name?", { name: { type: "string" } }, ["name"]),
  greeting: prompt("Generate a greeting", 50),
};

export default (_args: unknown, { inputs, canAsk }: HandlerContext) => {
  const open = Object.entries(QUESTIONS).filter(([key, { method }]) => canAsk(method) && inputs?.[key] === undefined);
  if (open.length > 0) return needInput({ requests: Object.fromEntries(open) });
  return `${modelText(inputs, "greeting") ?? "Hello"}, ${filledIn(inputs, "user_name", "name") ?? "whoever you are"}!`;
};
