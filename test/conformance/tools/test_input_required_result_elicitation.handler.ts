import { type HandlerContext, needInput } from "fettle";
import { filledIn } from "./answers.js";
import { form } from "./questions.js";

export default (_args: unknown, { inputs }: HandlerContext) => {
  const name = filledIn(inputs, "user_name", "name");
  if (name !== undefined) return `Hello, ${name}!`;
  return needInput({ requests: { user_name: form("What is your name?", { name: { type: "string" } }, ["name"]) } });
};
