import { needInput } from "fettle";

const ASK = {
  method: "elicitation/create",
  params: { message: "What is your name?", requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
};

export default (_args, { inputs }) => {
  const answer = inputs?.name;
  if (!answer) return needInput({ requests: { name: ASK } });
  return { answer: answer.action === "accept" ? answer.content.name : `no name: ${answer.action}` };
};
