import { createHash, randomBytes } from "node:crypto";
import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject } from "../isJsonObject.js";
import { ProtocolError } from "../protocolError.js";
import { WIRE_CODE } from "../wireError.js";
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

/** With what it was asked for, so that an answer for one set of arguments isn't taken for another. */
interface Sealed extends SealedState {
  readonly args: string;
}

/** What a state holds for: nobody else, and for no other tool. */
export interface SealSubject {
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly tenant: string;
  readonly principal: string;
  /** What the request was sent with, JSON: the order of keys doesn't matter. */
  readonly args: unknown;
}

let processKey: Uint8Array | undefined;

/** Signs the state of questions, so that a client can neither change it nor use it elsewhere, and any replica with the same secret can read it. */
export class StateSeal {
  readonly #codec: RequestStateCodec<Sealed>;

  constructor({ secret, ttlMs = 3_600_000 }: SealOptions = {}) {
    processKey ??= randomBytes(32);
    this.#codec = createRequestStateCodec<Sealed>({
      key: secret ?? processKey,
      ttlSeconds: ttlMs / 1_000,
      bind: (subject) => bindingOf(subject as unknown as SealSubject),
    });
  }

  seal(content: SealedState, subject: SealSubject): Promise<string> {
    return this.#codec.mint({ ...content, args: digestOf(subject.args) }, contextOf(subject));
  }

  /**
   * Opens what `seal` gave.
   * @throws ProtocolError -32602 for a state that isn't of this server, was changed, has expired, is another caller's or tool's, or was given
   * out for other arguments
   */
  async open(sealed: string, subject: SealSubject): Promise<SealedState> {
    const content = await this.#verify(sealed, subject);
    if (content.args !== digestOf(subject.args)) throw refused(OTHER_ARGUMENTS);
    return content;
  }

  async #verify(sealed: string, subject: SealSubject): Promise<Sealed> {
    try {
      return await this.#codec.verify(sealed, contextOf(subject));
    } catch (error) {
      throw refused(error instanceof Error && error.message === "expired" ? EXPIRED : NOT_VALID);
    }
  }
}

/** The codec hands what it is given to `bind`, and looks at nothing else of it. */
const contextOf = (subject: SealSubject): ServerContext => subject as unknown as ServerContext;

function bindingOf({ method, name, tenant, principal }: SealSubject): string {
  return JSON.stringify([method, name, tenant, principal]);
}

/** A digest of JSON that doesn't change with the order of keys. */
function digestOf(args: unknown): string {
  const ordered = JSON.stringify(args, (_key, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value,
  );
  return createHash("sha256").update(ordered).digest("base64url");
}

const EXPIRED = "This requestState has expired: the question was asked too long ago.";
const NOT_VALID = "This requestState is not valid here: it was changed, or it was given out for another request, another caller or by another server.";
const OTHER_ARGUMENTS =
  "This requestState was given out for other arguments: what was answered holds for those alone. Send the very arguments that the question came for.";

function refused(what: string): ProtocolError {
  return new ProtocolError(WIRE_CODE.invalidParams, `${what} Begin again: send the request without requestState and inputResponses.`, {
    reason: "invalid_request_state",
  });
}
