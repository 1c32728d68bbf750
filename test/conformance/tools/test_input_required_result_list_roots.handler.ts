import { type HandlerContext, needInput } from "fettle";
import { rootUris } from "./answers.js";
import { roots } from "./questions.js";

export default (_args: unknown, { inputs }: HandlerContext) => {
  const uris = rootUris(inputs, "client_roots");
  return uris === undefined ? needInput({ requests: { client_roots: roots } }) : `The client works in ${uris.join(", ") || "no folder"}.`;
};
