import { type HandlerContext, needInput } from "fettle";
import { modelText } from "./answers.js";
import { prompt } from "./questions.js";

// It doesn't look at ctx.canAsk: what becomes of a question that the client can't take is the server's to say.
export default (_args: unknown, { inputs }: HandlerContext) => {
  const said = modelText(inputs, "word");
  return said === undefined ? needInput({ requests: { word: prompt("Say one word.", 10) } }) : `The model said: ${said}`;
};
