import type { Handler, Plugin, Tool, ToolSpec } from "@fettle/contract";

/** A tool with what the kernel needs to run it: what load hands to run. */
export interface LoadedTool {
  readonly tool: Tool;
  /** Undefined when a plugin gives the handler. */
  readonly handler: Handler | undefined;
  readonly handlerFile: string | undefined;
  /** The plugin that this tool belongs to, where a plugin brought its spec. */
  readonly owner: string | undefined;
}

/** A tool as one plugin sees it: with that plugin's own section. */
export function toolFor(plugin: Plugin<unknown>, tool: Tool): Tool {
  const section = (tool.spec as ToolSpec & Readonly<Record<string, unknown>>)[plugin.name];
  return section === undefined ? tool : Object.freeze({ ...tool, section });
}

/** Whether the same call may be made again without harm: what advice to retry depends on. */
export function isRepeatable({ spec }: Tool): boolean {
  return spec.effects?.read_only === true || spec.performance.is_idempotent;
}
