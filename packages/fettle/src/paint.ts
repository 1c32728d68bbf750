import { styleText } from "node:util";

/** Kinds of text that the CLI tells apart by colour. */
export type Tone = "error" | "warning" | "note" | "place" | "dim" | "strong" | "good";

/** Colours a text, or leaves it as it is where colours are off. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
  error: ["bold", "red"],
  warning: ["bold", "yellow"],
  note: ["bold", "cyan"],
  place: "cyan",
  dim: "dim",
  strong: "bold",
  good: "green",
};

/** Paints nothing. */
export const plain: Paint = (_tone, text) => text;

const coloured: Paint = (tone, text) => (text === "" ? "" : styleText(STYLES[tone], text, { validateStream: false }));

/**
 * The painter for a stream: NO_COLOR switches colours off, FORCE_COLOR on, else a terminal that isn't dumb has them.
 * (no-color.org: any value but the empty one counts; NO_COLOR wins, since it is what a person set on purpose.)
 */
export function paintFor(isTty: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  if (env["NO_COLOR"]) return plain;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced === "0" || forced === "false" ? plain : coloured;
  return isTty && env["TERM"] !== "dumb" ? coloured : plain;
}
