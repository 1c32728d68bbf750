// What the SDK exports too: a server that answers plain calls alone never loads it. `revisions.test.ts` holds the two against each other.

/** The revisions with a handshake, newest first. */
export const OLDER_REVISIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** Keys of `_meta` that revision 2026-07-28 has in each request. */
export const META_KEY = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
} as const;
