import type { Caller, JsonObject, Listing, Tool } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { annotations, type ToolHints } from "./annotations.js";
import { composeDescription } from "./composeDescription.js";
import { inlineRefs, type SchemaObject } from "./inlineRefs.js";
import { pageOf } from "./listCursor.js";

/** A tool as `tools/list` shows it. */
export interface WireTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
  readonly outputSchema?: SchemaObject;
  readonly annotations: ToolHints;
  readonly _meta?: JsonObject;
}

/** One page of the list. */
export interface ToolPage {
  readonly tools: readonly WireTool[];
  readonly nextCursor?: string;
}

interface ListSettings {
  readonly budget: number;
  readonly pageSize: number;
  readonly inline: boolean;
}

/**
 * The tool lists of a kernel as they go out. Composed once per list that the kernel gives (one per catalog, and per caller where a plugin
 * filters), shared by all sessions and requests, and dropped when the list changes.
 */
export class ToolLists {
  readonly #kernel: Kernel;
  readonly #settings: ListSettings;
  readonly #stop: () => void;
  #lists = new WeakMap<readonly Listing[], readonly WireTool[]>();
  #tools = new WeakMap<Tool, Map<string, WireTool>>();

  constructor(kernel: Kernel) {
    const wire = kernel.config.config.wire;
    this.#kernel = kernel;
    this.#settings = { budget: wire?.description_budget ?? 1_024, pageSize: wire?.page_size ?? 100, inline: wire?.inline_refs ?? false };
    this.#stop = kernel.onListChanged((lists) => {
      if (!lists.includes("tools")) return;
      this.#lists = new WeakMap();
      this.#tools = new WeakMap();
    });
  }

  /**
   * The page that a cursor leads to; the first one without a cursor.
   * @throws ProtocolError -32602 for a cursor that isn't one
   */
  async page(caller: Caller, cursor: unknown): Promise<ToolPage> {
    const { page, ...next } = pageOf(this.#list(await this.#kernel.listTools({ caller })), ({ name }) => name, this.#settings.pageSize, cursor);
    return { tools: page, ...next };
  }

  /** Stops listening to the kernel. */
  close(): void {
    this.#stop();
  }

  #list(listings: readonly Listing[]): readonly WireTool[] {
    const known = this.#lists.get(listings);
    if (known !== undefined) return known;
    const list = listings.map((listing) => this.#tool(listing));
    this.#lists.set(listings, list);
    return list;
  }

  #tool(listing: Listing): WireTool {
    const { tool, name, lead, meta } = listing;
    const views = this.#tools.get(tool) ?? new Map<string, WireTool>();
    this.#tools.set(tool, views);
    const view = JSON.stringify([name, lead, meta]);
    const wire = views.get(view) ?? this.#compose(listing);
    views.set(view, wire);
    return wire;
  }

  #compose({ tool, name, lead, meta }: Listing): WireTool {
    const { spec } = tool;
    const { budget, inline } = this.#settings;
    const schema = inline ? inlineRefs : (authored: SchemaObject): SchemaObject => authored;
    return {
      name: name ?? tool.name,
      ...(spec.title !== undefined && { title: spec.title }),
      description: composeDescription(spec, { budget, lead }),
      inputSchema: schema(spec.parameters),
      ...(spec.output !== undefined && { outputSchema: schema(spec.output) }),
      annotations: annotations(spec),
      ...(meta !== undefined && { _meta: meta }),
    };
  }
}
