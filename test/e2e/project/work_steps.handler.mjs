import { setTimeout } from "node:timers/promises";

export default async ({ steps }, { progress, signal, log }) => {
  for (let step = 1; step <= steps; step += 1) {
    // The test reads this in the server's log.
    await setTimeout(10, undefined, { signal }).catch(() => log.info(`stopped at step ${step}`));
    signal.throwIfAborted();
    progress(step, steps, `step ${step}`);
  }
  log.info("all steps done");
  return { done: steps };
};
