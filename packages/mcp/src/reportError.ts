import { STRING_META } from "./screenMessage.js";

/** Receives errors that no client is told of, for the server's log. */
export type OnError = (error: Error) => void;

const LONGEST = 300;

/** What we quote ourselves: words of the protocol, and not of a client. */
const OURS: ReadonlySet<string> = new Set(['"jsonrpc"', '"2.0"', ...STRING_META.map((key) => JSON.stringify(key))]);

/**
 * Wraps a listener so that nothing a client sent reaches the log word for word: quoted parts are blanked (the SDK quotes names of tools
 * and whole messages there) unless they are words of the protocol, control characters are taken out, and the text is bounded. A listener that throws is not the wire's problem.
 */
export function reportError(onerror: OnError | undefined): (error: unknown) => void {
  return (error) => {
    if (onerror === undefined) return;
    const text = error instanceof Error ? error.message : String(error);
    const safe = new Error(blank(text).slice(0, LONGEST));
    safe.name = error instanceof Error ? error.name : "Error";
    if (error instanceof Error && error.stack !== undefined) safe.stack = framesOf(error.stack, safe);
    try {
      onerror(safe);
    } catch {
      // Logging must not end a connection.
    }
  };
}

function blank(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a log
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => (OURS.has(quoted) ? quoted : '"..."')).replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}

/** The frames of a stack under the safe message: the original's first lines hold the message itself. */
function framesOf(stack: string, safe: Error): string {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return [`${safe.name}: ${safe.message}`, ...frames].join("\n");
}
