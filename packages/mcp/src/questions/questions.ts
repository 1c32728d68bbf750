import type { Caller, InputRequest, JsonObject } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { createSchemaEngine, type SchemaEngine } from "@fettle/schema";
import type { Result } from "@modelcontextprotocol/server";
import type { HttpSettings } from "../http/httpDefaults.js";
import { ProtocolError } from "../protocolError.js";
import type { WireContext } from "../wireContext.js";
import { WIRE_CODE } from "../wireError.js";
import { askClient } from "./askClient.js";
import { checkAnswer } from "./checkAnswer.js";
import { type ClientCapabilities, lackedCapability } from "./clientCapabilities.js";
import { type ExpectedAnswer, type ExpectedAnswers, expectedAnswers } from "./expectedAnswers.js";
import { type BadAnswer, badAnswers, cannotAsk, tooManyRounds } from "./questionErrors.js";
import { type SealOptions, type SealSubject, StateSeal } from "./stateSeal.js";

/** Questions in place of an answer. */
export interface Question {
  readonly requests: Readonly<Record<string, InputRequest>>;
  readonly state?: string;
  /** Becomes the result's `_meta`. */
  readonly meta?: JsonObject;
  /** How long a client may take to answer while its request waits (before 2026-07-28), in milliseconds. Default as long as a call may take. */
  readonly timeoutMs?: number;
}

/** What one round gives: the end, or questions. */
export type Round = { readonly result: Result } | { readonly question: Question };

/** What a round finds of the one before. */
export interface Answers {
  readonly inputs?: Readonly<Record<string, JsonObject>>;
  readonly inputState?: string;
}

/** A request that may ask. */
export interface AskingRequest {
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource, as asked. */
  readonly name: string;
  /** The same, in words that may go back to the client. */
  readonly subject: string;
  /** What it was sent with: a state holds for that alone. Default nothing. */
  readonly args?: unknown;
  readonly caller: Caller;
  readonly ctx: WireContext;
  readonly capabilities: () => ClientCapabilities | undefined;
}

export interface QuestionOptions extends SealOptions {
  /** How long a call may take where its tool doesn't say, in milliseconds. Default 60,000, as the kernel's. */
  readonly timeoutMs?: number | undefined;
  /** Told of a question whose schema can't be enforced. */
  readonly report: (error: unknown) => void;
}

/** Most rounds of one request while it waits (before 2026-07-28). Later each round is a request of its own. */
const MOST_ROUNDS = 8;

/**
 * Lets handlers, prompts and resources ask the user or the host, in both eras from the same code: from 2026-07-28 on a question is an answer
 * of its own kind, and the client comes back with another request; before, the server asks while the request waits.
 */
export class Questions {
  readonly #timeoutMs: number;
  readonly #engine: SchemaEngine = createSchemaEngine();
  readonly #seal: StateSeal;
  readonly #report: (error: unknown) => void;

  constructor({ timeoutMs = 60_000, report, ...seal }: QuestionOptions) {
    this.#timeoutMs = timeoutMs;
    this.#seal = new StateSeal(seal);
    this.#report = report;
  }

  /**
   * Runs rounds until there is a result, or for clients of 2026-07-28 one round (two where answers come without the state of their question).
   *
   * @throws ProtocolError -32602 for a state that isn't valid here, and for answers that don't fit (2026-07-28)
   * @throws an error of `questionErrors.ts` when the client can't be asked, doesn't answer, or not with what was asked for (before)
   */
  answer(request: AskingRequest, round: (answers: Answers) => Promise<Round>): Promise<Result> {
    return request.ctx.mcpReq.envelope === undefined ? this.#whileItWaits(request, round) : this.#once(request, round);
  }

  /**
   * One round for a client that brings what is left of the last one with it. Answers without a state may come from anywhere, as the protocol has
   * it; what is asked without them says what they have to be, so that no answer reaches a handler that didn't ask for it.
   */
  async #once(request: AskingRequest, round: (answers: Answers) => Promise<Round>): Promise<Result> {
    const { method, name, args = {}, caller, ctx } = request;
    const subject: SealSubject = { method, name, args, tenant: caller.tenant, principal: caller.principal };
    const token: unknown = ctx.mcpReq.requestState();
    const sealed = typeof token === "string" ? await this.#seal.open(token, subject) : undefined;
    const asked = ctx.mcpReq.inputResponses !== undefined && sealed === undefined ? await round({}) : undefined;
    if (asked !== undefined && "result" in asked) return asked.result;
    const { expected, state: inputState } = asked === undefined ? (sealed ?? {}) : { ...asked.question, expected: expectedAnswers(asked.question.requests) };
    const inputs = this.#answersIn(ctx, expected, sealed !== undefined);
    const unanswered = asked !== undefined && (inputs === undefined || Object.keys(inputs).length === 0);
    const given = unanswered ? asked : await round({ ...(inputs && { inputs }), ...(inputState !== undefined && { inputState }) });
    if ("result" in given) return given.result;
    const { requests, state, meta } = given.question;
    const requestState = await this.#seal.seal({ ...(state !== undefined && { state }), expected: expectedAnswers(requests) }, subject);
    return { resultType: "input_required", inputRequests: requests, requestState, ...(meta && { _meta: meta }) };
  }

  /** The answers that came with a request of 2026-07-28. Those to what wasn't asked are left out. */
  #answersIn({ mcpReq }: WireContext, expected: ExpectedAnswers | undefined, withState: boolean): Readonly<Record<string, JsonObject>> | undefined {
    const { inputResponses, droppedInputResponseKeys = [] } = mcpReq;
    if (inputResponses === undefined || expected === undefined) return undefined;
    const given: Record<string, unknown> = { ...Object.fromEntries(droppedInputResponseKeys.map((key) => [key, undefined])), ...inputResponses };
    const { inputs, faults } = this.#check(given, expected);
    if (faults.length === 0) return inputs;
    const fix = `Send the request again with these mended in inputResponses${withState ? ", and with the same requestState" : ""}.`;
    const error = badAnswers(faults, fix).toToolError();
    throw new ProtocolError(WIRE_CODE.invalidParams, [error.what_went_wrong, ...error.how_to_fix].join("\n"), { "dev.fettle/error": error });
  }

  async #whileItWaits(request: AskingRequest, round: (answers: Answers) => Promise<Round>): Promise<Result> {
    const { ctx, subject } = request;
    let answers: Answers = {};
    for (let rounds = 0; ; rounds += 1) {
      const given = await round(answers);
      if ("result" in given) return given.result;
      if (rounds === MOST_ROUNDS) throw tooManyRounds(subject, MOST_ROUNDS);
      const { requests, state, timeoutMs = this.#timeoutMs } = given.question;
      for (const [key, each] of Object.entries(requests)) {
        const lacked = lackedCapability(request.capabilities(), each);
        if (lacked !== undefined) throw cannotAsk(subject, key, lacked);
      }
      const answered = await askClient(ctx, requests, { subject, timeoutMs });
      const { inputs, faults } = this.#check(answered, expectedAnswers(requests));
      if (faults.length > 0) throw badAnswers(faults, "Answer again when the question comes again: call once more.");
      answers = { inputs, ...(state !== undefined && { inputState: state }) };
    }
  }

  #check(
    given: Readonly<Record<string, unknown>>,
    expected: ExpectedAnswers,
  ): { readonly inputs: Readonly<Record<string, JsonObject>>; readonly faults: readonly BadAnswer[] } {
    const faults: BadAnswer[] = [];
    const inputs: [string, JsonObject][] = [];
    for (const [key, answer] of Object.entries(given)) {
      const wanted = Object.hasOwn(expected, key) ? expected[key] : undefined;
      if (wanted === undefined) continue;
      const problems = this.#problemsOf(answer, wanted);
      faults.push(...problems.map((problem) => ({ key, problem })));
      if (problems.length === 0) inputs.push([key, withContent(answer as JsonObject, wanted)]);
    }
    return { inputs: Object.fromEntries(inputs), faults };
  }

  #problemsOf(answer: unknown, expected: ExpectedAnswer): ReturnType<typeof checkAnswer> {
    try {
      return checkAnswer(this.#engine, answer, expected);
    } catch (error) {
      // A schema that can't be enforced: a fault of who asks, and no reason to refuse the answer.
      this.#report(error);
      return [];
    }
  }
}

/** The questions of a kernel, by its config. `http` has its overrides. */
export function questionsOf(
  { config: { config } }: Pick<Kernel, "config">,
  report: (error: unknown) => void,
  http: Pick<HttpSettings, "state_secret" | "state_ttl_ms"> = config.http ?? {},
): Questions {
  return new Questions({ secret: http.state_secret, ttlMs: http.state_ttl_ms, timeoutMs: config.timeout_ms, report });
}

/** A form that was accepted has content, also where nothing was filled in: so handlers may look into it. */
function withContent(answer: JsonObject, expected: ExpectedAnswer): JsonObject {
  return expected.schema !== undefined && answer["action"] === "accept" && answer["content"] === undefined ? { ...answer, content: {} } : answer;
}
