import type { ToolSpec } from "@fettle/contract";

/** Hints of a listed tool, as MCP defines them. What a spec doesn't say is left out, and MCP's own defaults hold. */
export interface ToolHints {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The annotations of a tool, from `effects` and `performance` of its spec. */
export function annotations({ title, effects, performance }: Pick<ToolSpec, "title" | "effects" | "performance">): ToolHints {
  return {
    ...(title !== undefined && { title }),
    ...(effects?.read_only !== undefined && { readOnlyHint: effects.read_only }),
    ...(effects?.destructive !== undefined && { destructiveHint: effects.destructive }),
    idempotentHint: performance.is_idempotent,
    ...(effects?.open_world !== undefined && { openWorldHint: effects.open_world }),
  };
}
