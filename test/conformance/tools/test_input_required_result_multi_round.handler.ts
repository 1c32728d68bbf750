import { type HandlerContext, needInput } from "fettle";
import { filledIn } from "./answers.js";
import { form } from "./questions.js";

// The state is what was answered so far: nothing is kept here between the rounds.
export default (_args: unknown, { inputs, inputState }: HandlerContext) => {
  const name = filledIn(inputs, "step1", "name") ?? nameOf(inputState);
  const color = filledIn(inputs, "step2", "color");
  if (name === undefined) return needInput({ requests: { step1: form("Step 1: What is your name?", { name: { type: "string" } }, ["name"]) }, state: "{}" });
  if (color === undefined)
    return needInput({
      requests: { step2: form("Step 2: What is your favorite color?", { color: { type: "string" } }, ["color"]) },
      state: JSON.stringify({ name }),
    });
  return `${name}'s favorite color is ${color}.`;
};

const nameOf = (state: string | undefined): string | undefined => (state === undefined ? undefined : (JSON.parse(state) as { name?: string }).name);
