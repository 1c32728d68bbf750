import type { Kernel } from "@fettle/kernel";
import type { Implementation, InitializeResult, ServerCapabilities } from "@modelcontextprotocol/server";
import type { Offers } from "./methods.js";
import { OLDER_REVISIONS } from "./revisions.js";

/** The name and version that clients are told. */
export function serverInfoOf(kernel: Pick<Kernel, "config">): Implementation {
  const { name = "fettle", version = "0.0.0" } = kernel.config.config.server ?? {};
  return { name, version };
}

/** What clients are told that the server can do. */
export function capabilitiesOf(offers: Offers): ServerCapabilities {
  return {
    tools: { listChanged: true },
    logging: {},
    ...(offers.prompts && { prompts: { listChanged: true } }),
    ...(offers.resources && { resources: { listChanged: true, ...(offers.subscriptions && { subscribe: true }) } }),
    ...(offers.completions && { completions: {} }),
  };
}

/** The answer to `initialize`, as the SDK's servers give it: the revision that the client wants, else the newest of its era. */
export function initializeResult(kernel: Pick<Kernel, "config">, offers: Offers, wanted: string): InitializeResult {
  const instructions = kernel.config.config.server?.instructions;
  return {
    protocolVersion: isOlderRevision(wanted) ? wanted : NEWEST_OLDER,
    capabilities: capabilitiesOf(offers),
    serverInfo: serverInfoOf(kernel),
    ...(instructions && { instructions }),
  };
}

const [NEWEST_OLDER = "2025-11-25"] = OLDER_REVISIONS;

/** Whether a revision is one of those with a handshake. */
export function isOlderRevision(version: string): boolean {
  return OLDER_REVISIONS.includes(version);
}
