import { randomBytes } from "node:crypto";
import { createRequestStateCodec, ProtocolError, ProtocolErrorCode, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import type { ExpectedAnswers } from "./expectedAnswers.js";

export interface SealOptions {
  /** Signs, 32 bytes or more. Default: random, for this process alone. */
  readonly secret?: string | undefined;
  /** How long a state is accepted, in milliseconds. Default 3,600,000. */
  readonly ttlMs?: number | undefined;
}

/** What goes to the client with a question, and comes back with the answers. Signed, but not encrypted. */
export interface SealedState {
  /** The `state` of `needInput`. */
  readonly state?: string;
  readonly expected: ExpectedAnswers;
}

/** What a state holds for: nobody else, and for no other tool. */
export interface SealSubject {
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly tenant: string;
  readonly principal: string;
}

let processKey: Uint8Array | undefined;

/** Signs the state of questions, so that a client can neither change it nor use it elsewhere, and any replica with the same secret can read it. */
export class StateSeal {
  readonly #codec: RequestStateCodec<SealedState>;

  constructor({ secret, ttlMs = 3_600_000 }: SealOptions = {}) {
    processKey ??= randomBytes(32);
    this.#codec = createRequestStateCodec<SealedState>({
      key: secret ?? processKey,
      ttlSeconds: ttlMs / 1_000,
      bind: (subject) => bindingOf(subject as unknown as SealSubject),
    });
  }

  seal(content: SealedState, subject: SealSubject): Promise<string> {
    return this.#codec.mint(content, contextOf(subject));
  }

  /**
   * Opens what `seal` gave.
   * @throws ProtocolError -32602 for a state that isn't of this server, was changed, has expired, or is another caller's or tool's
   */
  async open(sealed: string, subject: SealSubject): Promise<SealedState> {
    try {
      return await this.#codec.verify(sealed, contextOf(subject));
    } catch (error) {
      throw refused(error instanceof Error && error.message === "expired");
    }
  }
}

/** The codec hands what it is given to `bind`, and looks at nothing else of it. */
const contextOf = (subject: SealSubject): ServerContext => subject as unknown as ServerContext;

function bindingOf({ method, name, tenant, principal }: SealSubject): string {
  return JSON.stringify([method, name, tenant, principal]);
}

function refused(expired: boolean): ProtocolError {
  const what = expired
    ? "This requestState has expired: the question was asked too long ago."
    : "This requestState is not valid here: it was changed, or it was given out for another request, another caller or by another server.";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${what} Begin again: send the request without requestState and inputResponses.`, {
    reason: "invalid_request_state",
  });
}
