import { isUnwritten, type ToolSpec } from "@fettle/contract";

/** The texts of a spec that a description is composed of. */
export type DescribedSpec = Pick<ToolSpec, "description_short" | "description_detailed" | "when_to_use" | "when_not_to_use" | "prerequisites">;

export interface DescriptionOptions {
  /** Most characters. */
  readonly budget: number;
  /** Words that come first, for example that the tool is deprecated. */
  readonly lead?: string | undefined;
}

interface Passage {
  readonly text: string;
  /** Lower gets its room first. */
  readonly rank: number;
  /** Cut between words if no whole sentence fits: a description that says nothing helps nobody. */
  readonly needed: boolean;
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
const words = new Intl.Segmenter("en", { granularity: "word" });

/**
 * The description of a listed tool: what it does, in detail, when to use it, when not, what must hold before. Room is given by what helps a
 * model most to choose: the lead, the short text, when to use, when not, the details, the prerequisites. What doesn't fit ends after a whole sentence.
 * A text that is still to be written (`TODO: ...`) is left out.
 *
 * @example composeDescription(tool.spec, { budget: 1024, lead: "Deprecated: use `git_log` 2." });
 */
export function composeDescription(spec: DescribedSpec, { budget, lead }: DescriptionOptions): string {
  const short = tidy(spec.description_short);
  const detailed = tidy(spec.description_detailed);
  const before = spec.prerequisites.map(tidy).filter((text) => text !== "");
  // Authors often begin the details with the short text; once is enough.
  const repeated = short !== "" && detailed.toLowerCase().startsWith(short.toLowerCase().replace(/[.!]$/, ""));
  const passages: Passage[] = [
    { text: tidy(lead ?? ""), rank: 0, needed: true },
    { text: repeated ? "" : short, rank: 1, needed: true },
    { text: detailed, rank: repeated ? 1 : 4, needed: repeated },
    { text: tidy(spec.when_to_use), rank: 2, needed: false },
    { text: tidy(spec.when_not_to_use), rank: 3, needed: false },
    { text: before.length === 0 ? "" : `Before the call: ${before.join(" ")}`, rank: 5, needed: false },
  ];
  const kept = new Map<Passage, string>();
  let room = budget;
  for (const passage of passages.filter(({ text }) => text !== "").sort((a, b) => a.rank - b.rank)) {
    const separator = kept.size === 0 ? 0 : 1;
    const text = fit(passage, room - separator);
    if (text === "") continue;
    kept.set(passage, text);
    room -= text.length + separator;
  }
  return passages.flatMap((passage) => kept.get(passage) ?? []).join("\n");
}

function tidy(text: string): string {
  if (isUnwritten(text)) return "";
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

function fit({ text, needed }: Passage, room: number): string {
  if (text.length <= room) return text;
  const whole = leading(sentences, text, room);
  if (whole !== "" || !needed || room < 2) return whole;
  return `${leading(words, text, room - 1)}…`;
}

/** As many leading segments as fit. */
function leading(segmenter: Intl.Segmenter, text: string, room: number): string {
  let end = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    if (index + segment.trimEnd().length > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}
