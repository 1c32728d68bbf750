import type { Handler, ModuleFunction, Plugin, Tool, ToolSpec } from "@fettle/contract";

/** Functions by the references of their modules. */
export type Modules = ReadonlyMap<string, ModuleFunction>;

export const NO_MODULES: Modules = new Map();

/** A tool with what the kernel needs to run it: what load hands to run. */
export interface LoadedTool {
  readonly tool: Tool;
  /** Undefined when a plugin gives the handler. */
  readonly handler: Handler | undefined;
  readonly handlerFile: string | undefined;
  /** What the sections of the spec name, by plugin. */
  readonly modules: ReadonlyMap<string, Modules>;
  /** The plugin that this tool belongs to, where a plugin brought its spec. */
  readonly owner: string | undefined;
}

/** A tool as one plugin sees it: with that plugin's own section, and the modules that it names. */
export function toolFor(plugin: Plugin<unknown>, tool: Tool, modules: Modules = NO_MODULES): Tool {
  const section = (tool.spec as ToolSpec & Readonly<Record<string, unknown>>)[plugin.name];
  return section === undefined && modules.size === 0 ? tool : Object.freeze({ ...tool, section, modules });
}

/** Whether the same call may be made again without harm: what advice to retry depends on. */
export function isRepeatable({ spec }: Tool): boolean {
  return spec.effects?.read_only === true || spec.performance.is_idempotent;
}
