import type { IncomingMessage, ServerResponse } from "node:http";
import { refusal } from "./answer.js";
import { NodeRequest } from "./httpRequest.js";
import type { Site } from "./site.js";
import { writeAnswer } from "./writeAnswer.js";

/** Answers a request of node:http from a site. Never rejects. */
export async function answerNode(site: Site, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const request = toRequest(req, res);
  const answer = request === undefined ? refusal(400, "This request has an address or a Host header that is not valid.") : await site.handle(request);
  await writeAnswer(answer, req, res).catch(() => res.destroy());
}

function toRequest(req: IncomingMessage, res: ServerResponse): NodeRequest | undefined {
  try {
    return new NodeRequest(req, res);
  } catch {
    return undefined;
  }
}
