import type { ListName } from "@fettle/contract";
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from "@modelcontextprotocol/server";
import { callerOf } from "../callerOf.js";
import { initializeResult } from "../handshake.js";
import { isStateless } from "../isStateless.js";
import { LogLevel } from "../logLevel.js";
import { type Offers, offersOf } from "../methods.js";
import type { OpenRequests } from "../openRequests.js";
import type { QuickCall } from "../quickCall.js";
import { COMPLETE, changesNothing, QuickLane, type QuickLaneOptions } from "../quickLane.js";
import { type Handshake, isHandshake } from "../screenMessage.js";

/** A connection of the older era as long as it needs nothing of the SDK: the handshake is answered here, and what is plain after it. */
export class QuickStart {
  /** Which log lines the client gets, whichever lane sends them. */
  readonly level: LogLevel = new LogLevel();
  readonly #options: Omit<QuickLaneOptions, "capabilities" | "level">;
  #handshake: Handshake | undefined;
  #lane: QuickLane | undefined;

  constructor(options: Omit<QuickLaneOptions, "capabilities" | "level">) {
    this.#options = options;
  }

  /** The handshake that was answered here. */
  get handshake(): Handshake | undefined {
    return this.#handshake;
  }

  /** Whether a screened request can be answered here. One that waits may change how others are served, so what follows it is the SDK's too. */
  takes(message: JSONRPCRequest, open: OpenRequests): boolean {
    if (this.#lane === undefined) return isHandshake(message) && !isStateless(message) && open.size === 0;
    if (!this.#lane.takes(message)) return false;
    for (const { method } of open.values()) if (method !== "initialize" && !changesNothing(method)) return false;
    return true;
  }

  /** Answers a request that {@link takes} said yes to, or says that the complete lane has to. */
  async answer(message: JSONRPCRequest): Promise<JSONRPCResponse | typeof COMPLETE> {
    const { kernel } = this.#options;
    if (isHandshake(message)) {
      this.#handshake = message;
      const { protocolVersion, capabilities } = message.params;
      this.#lane = new QuickLane({ ...this.#options, capabilities, level: this.level });
      return { jsonrpc: "2.0", id: message.id, result: { ...initializeResult(kernel, offersOf(kernel), protocolVersion) } };
    }
    return this.#lane?.answer(message, { caller: (params) => callerOf(kernel, { transport: "stdio", headers: {} }, params) }) ?? COMPLETE;
  }

  begun(id: string | number): QuickCall | undefined {
    return this.#lane?.begun(id);
  }

  /** Forgets a call that nobody will ask for. */
  forget(id: string | number): void {
    this.#lane?.forget(id);
  }

  /** Aborts the call of that id, if it is one of those here, or all of them. */
  abort(id?: unknown): void {
    this.#lane?.giveUp("cancelled", id);
  }
}

/** What a client is told of lists that changed, where it was told that there are such. */
export function listNotices(lists: readonly ListName[], offers: Offers): readonly JSONRPCNotification[] {
  const offered: Readonly<Record<ListName, boolean>> = { tools: true, prompts: offers.prompts, resources: offers.resources };
  return lists.filter((name) => offered[name]).map((name) => ({ jsonrpc: "2.0", method: `notifications/${name}/list_changed` }));
}
