import type { Kernel } from "@fettle/kernel";
import type { JSONRPCRequest, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { announceLists } from "../announceLists.js";
import { createShell, type ShellContext } from "../createShell.js";
import { questionsOf } from "../questions/questions.js";
import { type Listening, listen } from "../subscriptions/listen.js";
import { ResourceWatches } from "../subscriptions/resourceWatches.js";

export interface CompleteLaneOptions extends Pick<ShellContext, "lists" | "report" | "debug" | "level" | "begun"> {
  readonly kernel: Kernel;
  readonly transport: Transport;
}

/** The SDK's side of a connection. */
export interface CompleteLane {
  /** Begins what a `subscriptions/listen` asks for. */
  listen(message: JSONRPCRequest): Listening;
  /** Ends the connection. */
  close(): Promise<void>;
  /** Lets go what the connection held, once it has ended. */
  release(): void;
}

/** Connects a transport to the SDK. */
export function connect({ kernel, transport, ...context }: CompleteLaneOptions): CompleteLane {
  const { report } = context;
  const watches = new ResourceWatches(kernel, report);
  const questions = questionsOf(kernel, report);
  // One, or for 2026-07-28 one for each request.
  const servers = new Set<Server>();
  const stopListening = kernel.onListChanged((lists) => {
    for (const server of servers) announceLists(server, lists).catch(report);
  });
  // The server of 2026-07-28 hands it to those of the connection's subscriptions that are to it.
  const tell = (uri: string): void => {
    for (const server of servers) server.sendResourceUpdated({ uri }).catch(report);
  };
  const handle = serveStdio(
    () => {
      const server = createShell(kernel, { ...context, transport: "stdio", watches, questions });
      servers.add(server);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport, onerror: report },
  );
  return {
    listen: (message) => listen(message, watches, tell),
    close: () => handle.close(),
    release: () => {
      stopListening();
      watches.close();
    },
  };
}
