import type { ListName } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { createMcpHandler, isJSONRPCErrorResponse, type JSONRPCRequest, type McpHttpHandler, type Server } from "@modelcontextprotocol/server";
import { createShell, type ShellContext } from "../createShell.js";
import { deprecationHeaders } from "../deprecationHeaders.js";
import { givenUpAnswer } from "../givenUpAnswer.js";
import { inOwnWords, type Offers } from "../methods.js";
import { isRequest } from "../screenMessage.js";
import { isListen, listen } from "../subscriptions/listen.js";
import { type Answer, jsonAnswer, withHeaders } from "./answer.js";
import type { HttpRequest } from "./httpRequest.js";
import { withParameterHeaders } from "./parameterHeaders.js";
import { isStream, whenDone } from "./whenDone.js";

/** A request of 2026-07-28 that waits for its answer. */
interface ModernCall {
  readonly message: JSONRPCRequest;
  /** The server that was made for it. */
  server?: Server;
  /** Headers that its answer gets when it goes out as plain JSON. */
  headers?: Readonly<Record<string, string>>;
}

/** The requests of revision 2026-07-28: each brings all that it needs with it, and gets a server of its own. */
export class ModernRequests {
  readonly #context: ShellContext;
  readonly #offers: Offers;
  readonly #handler: McpHttpHandler;
  readonly #waiting = new Map<HttpRequest, ModernCall>();
  /** The same, by what the SDK knows of a request. */
  readonly #callOf = new WeakMap<Request, ModernCall>();
  /** Tells every stream that is subscribed to the resource. */
  readonly #tellUpdated = (uri: string): void => this.#handler.notify.resourceUpdated(uri);

  constructor(kernel: Kernel, context: ShellContext, offers: Offers) {
    this.#context = {
      ...context,
      onMeta: (request, meta) => {
        const call = this.#callOf.get(request);
        if (call) call.headers = deprecationHeaders(meta);
      },
    };
    this.#offers = offers;
    this.#handler = createMcpHandler(
      ({ requestInfo }) => {
        const server = createShell(kernel, this.#context);
        const call = requestInfo && this.#callOf.get(requestInfo);
        if (call) call.server = server;
        return withParameterHeaders(server, kernel, call?.message);
      },
      { legacy: "reject", onerror: context.report },
    );
  }

  async handle(request: HttpRequest, body: unknown): Promise<Answer> {
    if (isRequest(body) && isListen(body)) return this.#listen(request, body);
    const web = request.web();
    if (!isRequest(body)) return this.#handler.fetch(web, { parsedBody: body });
    const call: ModernCall = { message: body };
    this.#waiting.set(request, call);
    this.#callOf.set(web, call);
    const answer = await this.#ownWords(await this.#handler.fetch(web, { parsedBody: body }), body);
    // A stream's headers are gone before the call ends.
    return call.headers === undefined || isStream(answer) ? answer : withHeaders(answer, call.headers);
  }

  /** Says that the answer to a request has gone out. */
  done(request: HttpRequest): void {
    this.#waiting.delete(request);
  }

  listsChanged(lists: readonly ListName[]): void {
    const { notify } = this.#handler;
    if (lists.includes("tools")) notify.toolsChanged();
    if (lists.includes("prompts")) notify.promptsChanged();
    if (lists.includes("resources")) notify.resourcesChanged();
  }

  /** Answers every request that still waits with the error that the server shut down. */
  async giveUp(): Promise<void> {
    for (const { message, server } of this.#waiting.values()) await server?.transport?.send(givenUpAnswer(message, "closing")).catch(() => {});
  }

  close(): Promise<void> {
    return this.#handler.close();
  }

  async #listen(request: HttpRequest, body: JSONRPCRequest): Promise<Answer> {
    const { watches, report } = this.#context;
    const { message, end } = listen(body, watches, this.#tellUpdated);
    try {
      return whenDone(await this.#handler.fetch(request.web(), { parsedBody: message }), { client: request, done: end, report });
    } catch (error) {
      end();
      throw error;
    }
  }

  /** An unknown method is answered with 404 and the SDK's bare words, an unknown revision with 400. */
  async #ownWords(response: Response, body: JSONRPCRequest): Promise<Answer> {
    if ((response.status !== 404 && response.status !== 400) || isStream(response)) return response;
    const answer: unknown = await response.json();
    return jsonAnswer(response.status, isJSONRPCErrorResponse(answer) ? inOwnWords(answer, body, this.#offers) : answer);
  }
}
