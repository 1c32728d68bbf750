const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = "\u2421";

// C0 without tab and line feed, DEL, C1, and the characters that reorder what a reader sees (Trojan Source, CVE-2021-42574).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to catch
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text that a terminal shows as it is: control characters, and those that turn the direction of text, stand as visible signs. Files and answers of tools
 * come from elsewhere, so they must not be able to move the cursor or repaint the screen. Tabs and line feeds stay. Each character stands for one, so
 * that columns still fit.
 */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
    return code === 0x7f ? DELETE_PICTURE : "\ufffd";
  });
}
