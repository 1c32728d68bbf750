import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../docs/plugins.md", import.meta.url), "utf8");

/** A block of code of docs/plugins.md: commands, or a file with its name in the first line. */
export interface GuideBlock {
  readonly language: string;
  readonly name: string | undefined;
  readonly text: string;
}

/** The steps of docs/plugins.md, in order. */
export const guideBlocks: readonly GuideBlock[] = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  name: /^(?:\/\/|#) (\S+)\n/.exec(text)?.[1],
  text,
}));

/** A file as whoever followed the page to its end has it. */
export function guideFile(name: string): string {
  const last = guideBlocks.filter((block) => block.language !== "sh" && block.name === name).at(-1);
  if (!last) throw new Error(`docs/plugins.md writes no ${name}.`);
  return last.text;
}
