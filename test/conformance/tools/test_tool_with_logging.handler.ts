import { setTimeout as wait } from "node:timers/promises";
import type { HandlerContext } from "fettle";

export default async (_args: unknown, { log, signal }: HandlerContext) => {
  log.info("Tool execution started");
  await wait(50, undefined, { signal });
  log.info("Tool processing data");
  await wait(50, undefined, { signal });
  log.info("Tool execution completed");
  return "Three log lines were written.";
};
