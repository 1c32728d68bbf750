import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A load balancer in front of servers. */
export interface Balancer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** How many requests each server got. */
  readonly counts: readonly number[];
  close(): Promise<void>;
}

/**
 * Spreads requests over servers, one to each in turn.
 *
 * @param sticky sends what names an MCP session to the server that opened it
 */
export async function startBalancer(targets: readonly string[], { sticky = false } = {}): Promise<Balancer> {
  const counts = targets.map(() => 0);
  const sessions = new Map<string, number>();
  let turn = -1;
  const pick = ({ headers }: IncomingMessage): number => {
    const known = sticky ? sessions.get(String(headers["mcp-session-id"])) : undefined;
    if (known !== undefined) return known;
    turn = (turn + 1) % targets.length;
    return turn;
  };
  const server = createServer((req, res) => {
    const target = pick(req);
    counts[target] = (counts[target] ?? 0) + 1;
    const { method, headers } = req;
    const out = request(new URL(req.url ?? "/", targets[target]), { method: method ?? "GET", headers, agent: false }, (answer) => {
      const session = answer.headers["mcp-session-id"];
      if (typeof session === "string") sessions.set(session, target);
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      res.flushHeaders();
      answer.pipe(res);
      answer.on("error", () => res.destroy());
    });
    out.on("error", () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
    res.on("close", () => out.destroy());
    req.pipe(out);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
