import { setTimeout as wait } from "node:timers/promises";
import type { HandlerContext } from "fettle";

export default async (_args: unknown, { closeStream, signal }: HandlerContext) => {
  closeStream();
  // The answer shall come when the client has seen that its stream ended.
  await wait(100, undefined, { signal });
  return "The client came back for this answer, or its stream stayed open.";
};
