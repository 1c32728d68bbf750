import { type HandlerContext, needInput } from "fettle";
import { filledIn, modelText, rootUris } from "./answers.js";
import { form, prompt, roots } from "./questions.js";

const STATE = "waiting for three answers";

export default (_args: unknown, { inputs, inputState }: HandlerContext) => {
  const name = filledIn(inputs, "user_name", "name");
  const greeting = modelText(inputs, "greeting");
  const uris = rootUris(inputs, "client_roots");
  if (name !== undefined && greeting !== undefined && uris !== undefined && inputState === STATE)
    return `${greeting} ${name} works in ${uris.join(", ") || "no folder"}.`;
  return needInput({
    requests: {
      user_name: form("What is your name?", { name: { type: "string" } }, ["name"]),
      greeting: prompt("Generate a greeting", 50),
      client_roots: roots,
    },
    state: STATE,
  });
};
