import { Pool } from "undici";
import { HEADERS, initialize, initialized, inStatelessEra, statelessHeaders } from "./messages.mjs";

/** A client of one server over HTTP, with up to 32 connections that stay open. */
export class HttpClient {
  #pool;
  #stateless;
  #session = {};

  /** @param {boolean} stateless whether to speak the stateless revision, 2026-07-28; else the older ones, in a session once one is open */
  constructor(url, stateless) {
    this.#pool = new Pool(url, { connections: 32, pipelining: 1 });
    this.#stateless = stateless;
  }

  /** Opens a session of the older era, which later requests belong to. */
  async open() {
    const { headers } = await this.#post(initialize("open"));
    this.#session = { "mcp-session-id": headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25" };
    await this.#post(initialized, this.#session);
  }

  async request(message) {
    if (!this.#stateless) return (await this.#post(message, this.#session)).answer;
    const stateless = inStatelessEra(message);
    return (await this.#post(stateless, statelessHeaders(stateless))).answer;
  }

  close() {
    return this.#pool.close();
  }

  async #post(message, headers = {}) {
    const response = await this.#pool.request({ path: "/mcp", method: "POST", headers: { ...HEADERS, ...headers }, body: JSON.stringify(message) });
    return { headers: response.headers, answer: answerIn(await response.body.text()) };
  }
}

/** The answer in a body: plain, or the last event of a stream; undefined where there is none. */
function answerIn(text) {
  if (text.startsWith("{")) return JSON.parse(text);
  const events = text.split("\n").filter((line) => line.startsWith("data: {"));
  return events.length === 0 ? undefined : JSON.parse(events.at(-1).slice("data: ".length));
}
