import { setTimeout as wait } from "node:timers/promises";
import type { HandlerContext } from "fettle";

export default async (_args: unknown, { progress, signal }: HandlerContext) => {
  progress(0, 100);
  await wait(50, undefined, { signal });
  progress(50, 100);
  await wait(50, undefined, { signal });
  progress(100, 100);
  return "Progress was reported three times.";
};
