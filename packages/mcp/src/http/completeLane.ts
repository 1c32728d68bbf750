import type { Kernel } from "@fettle/kernel";
import { isLegacyRequest } from "@modelcontextprotocol/server";
import { createShell, type ShellContext } from "../createShell.js";
import type { LogLevel } from "../logLevel.js";
import type { Offers } from "../methods.js";
import type { OpenRequests } from "../openRequests.js";
import { questionsOf } from "../questions/questions.js";
import type { QuickCall } from "../quickCall.js";
import type { Handshake } from "../screenMessage.js";
import { ResourceWatches } from "../subscriptions/resourceWatches.js";
import type { ToolLists } from "../toolLists.js";
import type { HttpDefaults } from "./httpDefaults.js";
import type { HttpRequest } from "./httpRequest.js";
import type { Live } from "./legacySession.js";
import { ModernRequests } from "./modernRequests.js";
import { ReplayStore } from "./replayStore.js";
import { SessionTransport } from "./sessionTransport.js";

export interface CompleteLaneOptions {
  readonly kernel: Kernel;
  readonly settings: HttpDefaults;
  readonly lists: ToolLists;
  readonly offers: Offers;
  readonly report: (error: unknown) => void;
  readonly debug: ((message: string) => void) | undefined;
}

/** What the SDK's side of a session needs of it. */
export interface SessionFacts {
  readonly id: string;
  readonly handshake: Handshake;
  readonly requests: OpenRequests;
  readonly level: LogLevel;
  begun(id: string | number): QuickCall | undefined;
  onclose(): void;
}

/** The one revision of the older era whose streams can't be resumed. */
const NOT_RESUMABLE = "2024-11-05";

/** All that the SDK does over HTTP: the whole of revision 2026-07-28, and what sessions of the older era need beyond plain answers. Loaded when first needed. */
export class CompleteLane {
  readonly modern: ModernRequests;
  readonly #options: CompleteLaneOptions;
  readonly #watches: ResourceWatches;
  readonly #context: ShellContext;

  constructor(options: CompleteLaneOptions) {
    const { kernel, settings, lists, offers, report, debug } = options;
    this.#options = options;
    this.#watches = new ResourceWatches(kernel, report);
    this.#context = { transport: "http", lists, watches: this.#watches, questions: questionsOf(kernel, report, settings), report, debug };
    this.modern = new ModernRequests(kernel, this.#context, offers);
  }

  /** Whether a screened message is of the older era. */
  isOlder(request: HttpRequest, body: unknown): Promise<boolean> {
    return isLegacyRequest(request.web(), body);
  }

  /** Makes what serves a session beyond plain answers: an SDK transport and a thin server. */
  async live({ id, handshake, requests, level, begun, onclose }: SessionFacts): Promise<Live> {
    const { kernel, settings, offers, report } = this.#options;
    const server = createShell(kernel, { ...this.#context, level, begun });
    const resumable = settings.replay_bytes > 0 && handshake.params.protocolVersion !== NOT_RESUMABLE;
    const replay = resumable ? new ReplayStore(settings.replay_bytes) : undefined;
    const transport = new SessionTransport({ id, offers, open: requests, report, replay });
    transport.onclose = () => {
      onclose();
      replay?.clear();
    };
    transport.onerror = report;
    await server.connect(transport);
    await transport.takeUp(handshake);
    return { server, transport, replay };
  }

  async close(): Promise<void> {
    await this.modern.close();
    this.#watches.close();
  }
}
