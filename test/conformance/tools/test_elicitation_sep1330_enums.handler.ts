import { type HandlerContext, needInput } from "fettle";
import { formAnswer } from "./answers.js";
import { form, requireAsking } from "./questions.js";

const OPTIONS = ["option1", "option2", "option3"];
const titled = (kind: string) => ["First", "Second", "Third"].map((ordinal, i) => ({ const: `value${i + 1}`, title: `${ordinal} ${kind}` }));

const FIELDS = {
  untitledSingle: { type: "string", description: "One of several", enum: OPTIONS },
  titledSingle: { type: "string", description: "One of several, by title", oneOf: titled("Option") },
  legacyEnum: {
    type: "string",
    description: "One of several, titled in the older form",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", description: "Any of several", items: { type: "string", enum: OPTIONS } },
  titledMulti: { type: "array", description: "Any of several, by title", items: { anyOf: titled("Choice") } },
};

export default (_args: unknown, ctx: HandlerContext) => {
  const answer = formAnswer(ctx.inputs, "choices");
  if (answer) return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`;
  requireAsking(ctx, "elicitation/create");
  return needInput({ requests: { choices: form("Please choose.", FIELDS) } });
};
