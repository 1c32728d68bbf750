import { needInput, type Prompt, type PromptMessages } from "fettle";
import { filledIn } from "../tools/answers.js";
import { form } from "../tools/questions.js";
import { RED_PIXEL } from "../tools/redPixel.js";

const says = (text: string): PromptMessages["messages"][number] => ({ role: "user", content: { type: "text", text } });

const WORDS = ["testValue1", "testValue2", "toast"];

const ALWAYS: readonly Prompt[] = [
  {
    name: "test_simple_prompt",
    title: "A prompt without arguments",
    description: "One message, always the same.",
    get: () => ({ messages: [says("This is a simple prompt for testing.")] }),
  },
  {
    name: "test_prompt_with_arguments",
    title: "A prompt with arguments",
    description: "One message that repeats both arguments.",
    arguments: [
      { name: "arg1", description: "The first word", required: true },
      { name: "arg2", description: "The second word", required: true },
    ],
    get: ({ arg1, arg2 }) => ({ messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
    complete: (_argument, typed) => WORDS.filter((word) => word.startsWith(typed)),
  },
  {
    name: "test_prompt_with_embedded_resource",
    title: "A prompt with a resource",
    description: "A resource of the address that was given, and what to do with it.",
    arguments: [{ name: "resourceUri", description: "The address of the resource", required: true }],
    get: ({ resourceUri = "" }) => ({
      messages: [
        { role: "user", content: { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." } } },
        says("Please process the embedded resource above."),
      ],
    }),
  },
  {
    name: "test_prompt_with_image",
    title: "A prompt with an image",
    description: "One red pixel, and what to do with it.",
    get: () => ({
      messages: [{ role: "user", content: { type: "image", data: RED_PIXEL, mimeType: "image/png" } }, says("Please analyze the image above.")],
    }),
  },
  {
    name: "test_input_required_result_prompt",
    title: "A prompt that asks first",
    description: "Asks the user for a context, and gives one message that repeats it.",
    get(_args, { inputs }) {
      const context = filledIn(inputs, "user_context", "context");
      if (context !== undefined) return { messages: [says(`Answer in this context: ${context}`)] };
      return needInput({ requests: { user_context: form("What context should the prompt use?", { context: { type: "string" } }, ["context"]) } });
    },
  },
];

const APPEARING: Prompt = {
  name: "test_appearing_prompt",
  title: "A prompt that comes and goes",
  description: "It is there while test_trigger_prompt_change wants it to be.",
  get: () => ({ messages: [says("This prompt was not always here.")] }),
};

/** The prompts, with the one that comes and goes or without it. */
export function prompts(withAppearing: boolean): readonly Prompt[] {
  return withAppearing ? [...ALWAYS, APPEARING] : ALWAYS;
}
