import { rateLimitError } from "fettle";

const DEFAULT_LIMIT = 16;
const running = new Map<string, number>();

/**
 * Takes one of a root's slots. A call holds one slot and runs one git process at a time, so slots count processes.
 *
 * @param limit value of GIT_TOOLS_MAX_PROCESSES, 1 to 256. Default 16.
 * @returns gives the slot back
 * @throws rate_limit_error `git/too-many-processes`
 */
export function takeSlot(root: string, limit: string | undefined): () => void {
  const wished = Number(limit);
  const most = Number.isInteger(wished) && wished >= 1 && wished <= 256 ? wished : DEFAULT_LIMIT;
  const now = running.get(root) ?? 0;
  if (now >= most) {
    throw rateLimitError("git/too-many-processes", {
      what: `${now === 1 ? "1 git process is" : `${now} git processes are`} running on this work tree already, and no more than ${most} may run at once.`,
      why: "Many Git tools were called at the same moment. This call was not run and has changed nothing.",
      fix: ["Wait a second, then send the same call again.", "Send fewer Git calls at once; one after the other always works."],
      details: { running: now, limit: most },
      retryAfterSeconds: 1,
    });
  }
  running.set(root, now + 1);
  return () => {
    const left = (running.get(root) ?? 1) - 1;
    if (left > 0) running.set(root, left);
    else running.delete(root);
  };
}
