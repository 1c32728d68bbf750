import { type HandlerContext, needInput } from "fettle";
import { modelText } from "./answers.js";
import { prompt } from "./questions.js";

export default (_args: unknown, { inputs }: HandlerContext) => {
  const said = modelText(inputs, "capital_question");
  return said ?? needInput({ requests: { capital_question: prompt("What is the capital of France?", 100) } });
};
