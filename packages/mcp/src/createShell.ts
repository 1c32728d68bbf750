import type { Caller, IdentifyRequest, JsonObject } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { type Result, Server, type ServerContext } from "@modelcontextprotocol/server";
import { anyParams } from "./anyParams.js";
import { askingContribution } from "./askingContribution.js";
import { callerOf } from "./callerOf.js";
import { callTool } from "./callTool.js";
import { complete } from "./complete.js";
import { capabilitiesOf, serverInfoOf } from "./handshake.js";
import { LogLevel } from "./logLevel.js";
import { offersOf } from "./methods.js";
import { getPrompt, listPrompts } from "./prompts.js";
import { ProtocolError } from "./protocolError.js";
import { type Questions, questionsOf } from "./questions/questions.js";
import type { QuickCall } from "./quickCall.js";
import { listResources, listResourceTemplates, readResource } from "./resources.js";
import type { ResourceWatches } from "./subscriptions/resourceWatches.js";
import type { ToolLists } from "./toolLists.js";
import { toProtocolError } from "./toProtocolError.js";
import { WIRE_CODE } from "./wireError.js";

/** What the shells of one server share. */
export interface ShellContext {
  readonly transport: "stdio" | "http";
  readonly lists: ToolLists;
  readonly watches: ResourceWatches;
  /** Default one of their own, whose questions other shells of this process understand too. */
  readonly questions?: Questions;
  /** Receives what went wrong inside; the client is told only that something did. */
  readonly report: (error: unknown) => void;
  /** Receives remarks for who writes tools. Nothing that a client sent is in them. */
  readonly debug?: ((message: string) => void) | undefined;
  /** Which log lines the client gets. Default one of the shell's own. */
  readonly level?: LogLevel;
  /** Gives the first round of a call that began before the SDK came in; whoever asks for it takes it over. */
  readonly begun?: (id: string | number) => QuickCall | undefined;
  /** Sees the `meta` of a call's outcome, with the HTTP request that it answers. */
  readonly onMeta?: (request: Request, meta: JsonObject) => void;
}

type Handle = (params: JsonObject, ctx: ServerContext, caller: Caller) => Result | Promise<Result>;

/**
 * A thin SDK server around a kernel, for one session (the older era) or one request (2026-07-28). It holds nothing of its own but the
 * session's log level: lists, tools and handlers are the kernel's, shared by all.
 */
export function createShell(kernel: Kernel, context: ShellContext): Server {
  const identity = kernel.config.config.server;
  const offers = offersOf(kernel);
  const { page_size: pageSize = 100, list_ttl_ms: ttlMs = 0, cache_scope: cacheScope = "private" } = kernel.config.config.wire ?? {};
  const kept = { ttlMs, cacheScope };
  const server = new Server(serverInfoOf(kernel), {
    capabilities: capabilitiesOf(offers),
    // Sent from 2026-07-28 on; what a resource says of its contents goes before.
    cacheHints: { "tools/list": kept, "prompts/list": kept, "resources/list": kept, "resources/templates/list": kept },
    debouncedNotificationMethods: ["notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed"],
    ...(identity?.instructions !== undefined && { instructions: identity.instructions }),
  });
  const { level = new LogLevel() } = context;
  const questions = context.questions ?? questionsOf(kernel, context.report);
  const serve = (method: string, handle: Handle): void =>
    server.setRequestHandler(method, { params: anyParams }, async (params, ctx) => {
      try {
        return await handle(params, ctx, await callerOf(kernel, connectionOf(context, ctx), params));
      } catch (error) {
        // Of a request that was cancelled nobody waits for the answer, and what it fails with is the echo of that.
        throw toProtocolError(error, (fault) => ctx.mcpReq.signal.aborted || context.report(fault));
      }
    });
  serve("tools/list", async (params, _ctx, caller) => ({ ...(await context.lists.page(caller, params["cursor"])) }));
  // In place of the SDK's own handler, whose level nobody else can read.
  server.setRequestHandler("logging/setLevel", { params: anyParams }, (params) => {
    level.set(params);
    return {};
  });
  serve("tools/call", (params, ctx, caller) => {
    const request = ctx.http?.req;
    const onMeta = request && context.onMeta && ((meta: JsonObject): void => context.onMeta?.(request, meta));
    const { report, debug } = context;
    const begun = context.begun?.(ctx.mcpReq.id);
    return callTool({ kernel, server, questions, sendLog: level.sender(ctx), report, debug, begun, ...(onMeta && { onMeta }) }, params, caller, ctx);
  });
  if (offers.prompts) {
    serve("prompts/list", ({ cursor }) => listPrompts(kernel.prompts, pageSize, cursor));
    serve("prompts/get", (params, ctx, caller) => {
      const request = { method: "prompts/get", params, caller, ctx, sendLog: level.sender(ctx) } as const;
      return askingContribution(server, questions, request, (context) => getPrompt(kernel, params, context));
    });
  }
  if (offers.resources) {
    serve("resources/list", ({ cursor }) => listResources(kernel.resources, pageSize, cursor));
    serve("resources/templates/list", ({ cursor }) => listResourceTemplates(kernel.resourceTemplates, pageSize, cursor));
    serveSubscriptions(server, context, serve);
    serve("resources/read", (params, ctx, caller) => {
      const request = { method: "resources/read", params, caller, ctx, sendLog: level.sender(ctx) } as const;
      return askingContribution(server, questions, request, (context) => readResource(kernel, params, context, ctx.mcpReq.envelope !== undefined));
    });
  }
  if (offers.completions) serve("completion/complete", (params, ctx) => complete(kernel, params, ctx.mcpReq.signal));
  return server;
}

/** `resources/subscribe` and its end; from 2026-07-28 on there is `subscriptions/listen` in their place. */
function serveSubscriptions(server: Server, { watches, report }: ShellContext, serve: (method: string, handle: Handle) => void): void {
  const tell = (uri: string): void => void server.sendResourceUpdated({ uri }).catch(report);
  let first = true;
  serve("resources/subscribe", ({ uri }) => {
    watches.subscribe(server, uriIn("resources/subscribe", uri), tell);
    if (first) {
      first = false;
      const onclose = server.onclose;
      server.onclose = () => {
        watches.release(server);
        onclose?.();
      };
    }
    return {};
  });
  serve("resources/unsubscribe", ({ uri }) => {
    watches.unsubscribe(server, uriIn("resources/unsubscribe", uri));
    return {};
  });
}

function uriIn(method: string, uri: unknown): string {
  if (typeof uri === "string") return uri;
  throw new ProtocolError(WIRE_CODE.invalidParams, `${method} needs params.uri, a string.`);
}

/** What is known of the connection that a request came by. */
function connectionOf({ transport }: ShellContext, { http, sessionId }: ServerContext): Omit<IdentifyRequest, "meta"> {
  const headers = http?.req?.headers;
  return { transport, headers: headers === undefined ? {} : Object.fromEntries(headers), ...(sessionId !== undefined && { sessionId }) };
}
