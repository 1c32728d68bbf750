import { rateLimitError } from "fettle";

/** Calls that wait on one root at most. */
const MOST_WAITING = 64;
const lines = new Map<string, (() => void)[]>();

/**
 * Waits until no other call of this server writes to the root. Calls get their turn in the order in which they came.
 *
 * @returns ends the turn
 * @throws the signal's reason when the call was given up meanwhile; rate_limit_error `git/too-many-processes` when 64 calls wait already
 */
export async function writerTurn(root: string, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  const end = () => {
    const next = lines.get(root)?.shift();
    if (next) next();
    else lines.delete(root);
  };
  const line = lines.get(root);
  if (line === undefined) {
    lines.set(root, []);
    return end;
  }
  if (line.length >= MOST_WAITING) {
    throw rateLimitError("git/too-many-processes", {
      what: `${line.length} calls wait already to write to this work tree. This one was not run and has changed nothing.`,
      why: "Commits and branches are made one after the other, and many were asked for at the same moment.",
      fix: ["Wait a few seconds, then send the same call again.", "Send the next commit when the one before is answered."],
      details: { waiting: line.length, limit: MOST_WAITING },
      retryAfterSeconds: 5,
    });
  }
  await new Promise<void>((resolve, reject) => {
    const enter = () => {
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      line.splice(line.indexOf(enter), 1);
      reject(signal.reason);
    };
    line.push(enter);
    signal.addEventListener("abort", leave, { once: true });
  });
  return end;
}
