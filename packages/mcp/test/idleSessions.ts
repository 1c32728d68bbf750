import { fileURLToPath } from "node:url";
import { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { openSession, post, startHttp } from "./httpFixture.js";
import { until } from "./until.js";
import { watchedResources } from "./watchedResources.js";

/** Run with --expose-gc: opens sessions that go idle, and prints what is left of them. */
export const IDLE_SESSIONS_FILE: string = fileURLToPath(import.meta.url);

/** What is left of sessions that went idle. */
export interface LeftOfSessions {
  readonly opened: number;
  /** How many were watching before they went idle, and after. */
  readonly watching: readonly [number, number];
  /** HTTP statuses of requests in sessions that went idle. */
  readonly statuses: readonly number[];
  /** Transports and servers of sessions that are still held. */
  readonly held: number;
}

const SESSIONS = 100;

if (process.argv[1] === IDLE_SESSIONS_FILE) {
  const refs: WeakRef<object>[] = [];
  for (const { prototype, method } of [
    { prototype: WebStandardStreamableHTTPServerTransport.prototype as unknown as Record<string, (...args: unknown[]) => unknown>, method: "start" },
    { prototype: Server.prototype as unknown as Record<string, (...args: unknown[]) => unknown>, method: "connect" },
  ]) {
    const original = prototype[method];
    prototype[method] = function (this: object, ...args: unknown[]) {
      refs.push(new WeakRef(this));
      return original?.apply(this, args);
    };
  }
  const collect = (): number => {
    globalThis.gc?.();
    return refs.filter((ref) => ref.deref() !== undefined).length;
  };
  const watched = watchedResources();
  const fixture = await startHttp({ session_idle_ms: 300, keep_alive_timeout_ms: 50 }, { plugins: [watched.plugin()] });
  const { counts } = watched.counter;
  const request = (id: number, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
  const watching: [number, number] = [0, 0];
  const statuses = new Set<number>();
  const sessions: Record<string, string>[] = [];
  for (let index = 0; index < SESSIONS; index += 1) {
    const session = await openSession(fixture.url);
    sessions.push(session);
    // Each does what leaves something behind: an answer to come back for, a call without its client, a stream, a subscription.
    await (await post(fixture.url, request(2, "tools/call", { name: "echo", arguments: { text: "x".repeat(1_000) } }), session)).text();
    await (await post(fixture.url, request(3, "resources/subscribe", { uri: "test://counter" }), session)).text();
    watching[0] = Math.max(watching[0], counts.live);
    const leaving = new AbortController();
    await post(fixture.url, request(4, "tools/call", { name: "pause", arguments: { ms: 20 } }), session, leaving.signal);
    await fetch(`${fixture.url}/mcp`, { headers: { ...session, accept: "text/event-stream" }, signal: leaving.signal });
    leaving.abort();
  }
  // The watch ends with the last session.
  await until(() => counts.live === 0);
  watching[1] = counts.live;
  for (const session of sessions) statuses.add((await post(fixture.url, request(5, "ping", {}), session)).status);
  await until(() => collect() === 0, 20_000).catch(() => {});
  const held = collect();
  const left: LeftOfSessions = { opened: refs.length / 2, watching, statuses: [...statuses], held };
  await fixture.stop();
  process.stdout.write(JSON.stringify(left));
}
