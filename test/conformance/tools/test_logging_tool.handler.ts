import type { HandlerContext } from "fettle";

export default (_args: unknown, { log }: HandlerContext) => {
  log.info("A line for whoever asked for log lines");
  return "One log line was written.";
};
