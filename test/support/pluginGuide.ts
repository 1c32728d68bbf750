import { readFileSync } from "node:fs";

/** A block of code of a page that is followed step by step: commands, or a file with its name in the first line. */
export interface PageBlock {
  readonly language: string;
  readonly name: string | undefined;
  readonly text: string;
}

/** The steps of a page, such as docs/plugins.md, in order. */
export function pageBlocks(page: string): readonly PageBlock[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", block = ""]) => ({
    language,
    name: /^(?:\/\/|#) (\S+)\n/.exec(block)?.[1],
    text: block,
  }));
}

/** A file as whoever followed docs/plugins.md to its end has it. */
export function guideFile(name: string): string {
  const last = pageBlocks("docs/plugins.md")
    .filter((block) => block.language !== "sh" && block.name === name)
    .at(-1);
  if (!last) throw new Error(`docs/plugins.md writes no ${name}.`);
  return last.text;
}
