import { definePlugin } from "fettle";

const NAMES = ["Ada", "Alan", "Grace"];

/** Prompts and resources for the tests. */
export default definePlugin({
  name: "desk",
  options: { type: "object", additionalProperties: false },
  create: () => ({
    name: "desk",
    position: "observe",
    setup: () => ({
      prompts: [
        {
          name: "greet",
          description: "Greets somebody.",
          arguments: [{ name: "who", required: true, description: "Whom to greet." }],
          get: ({ who }) => ({ messages: [{ role: "user", content: { type: "text", text: `Say hello to ${who}.` } }] }),
          complete: (_argument, typed) => NAMES.filter((name) => name.startsWith(typed)),
        },
      ],
      resources: [
        {
          uri: "desk://note",
          name: "note",
          mimeType: "text/plain",
          read: () => [{ uri: "desk://note", mimeType: "text/plain", text: "Water the plants." }],
        },
      ],
      resourceTemplates: [{ uriTemplate: "desk://drawer/{number}", name: "drawer", read: (uri, { number }) => [{ uri, text: `Drawer ${number} is empty.` }] }],
    }),
  }),
});
