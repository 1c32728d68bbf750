import { type CodeTable, defineCodes } from "@fettle/contract";

type McpCode =
  | "port-in-use"
  | "port-forbidden"
  | "address-unknown"
  | "listens-already"
  | "listen-failed"
  | "unsound-content"
  | "bad-answer"
  | "cannot-ask"
  | "unanswered"
  | "question-refused"
  | "too-many-rounds"
  | "bad-question";

/** The codes of this package. */
export const mcpCodes: CodeTable<McpCode> = defineCodes<McpCode>("mcp", {
  "port-in-use": { message: "Another program listens on the port.", hint: "Stop it, or choose another port; 0 picks a free one." },
  "port-forbidden": { message: "The port may not be listened on by this user.", hint: "Choose a port above 1023." },
  "address-unknown": { message: "The host is no address of this machine.", hint: "Use 127.0.0.1, or an address that this machine has." },
  "listens-already": { message: "The server listens already, or was closed.", hint: "Make another with createHttpServer; one kernel may have several." },
  "listen-failed": { message: "The server couldn't listen.", hint: "See the cause." },
  "unsound-content": { message: "A tool, prompt or resource gave content that can't be sent.", hint: "Authors: the place is named.", type: "internal_error" },
  "bad-answer": {
    message: "The answer to a question doesn't fit the question.",
    hint: "Mend the fields that are named, and send the answers again.",
    type: "input_error",
  },
  "cannot-ask": {
    message: "The call needs an answer from the user or the host, and this client said that it can't be asked.",
    hint: "Use a client that has the capability that is named. Authors: look at ctx.canAsk first.",
    type: "state_error",
  },
  unanswered: {
    message: "Nobody answered a question in time.",
    hint: "Call again when somebody can answer. Authors: raise timeout_ms of the tool.",
    type: "state_error",
  },
  "question-refused": {
    message: "The client answered a question with an error.",
    hint: "Its message is told. Call again once the client can answer.",
    type: "external_error",
  },
  "too-many-rounds": {
    message: "A call asked again and again without coming to an end.",
    hint: "Authors: end after some rounds, whatever the answers are.",
    type: "internal_error",
  },
  "bad-question": { message: "A prompt or resource asked something that can't be asked.", hint: "Authors: the place is named.", type: "internal_error" },
});
