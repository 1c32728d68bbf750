import { definePlugin, type Plugin, type PluginModule } from "fettle";
import { prompts } from "./prompts.js";
import { resources, resourceTemplates } from "./resources.js";
import { WatchedResource } from "./watchedResource.js";

const spec = (name: string): { readonly file: URL; readonly name: string } => ({ file: new URL(`./${name}.tool.yaml`, import.meta.url), name });

/**
 * What the official suites ask of a server besides tools: prompts, resources, templates and completions, and tools that change them. It is written
 * against the plugin contract alone, as a stranger would.
 */
const conformance: PluginModule = definePlugin({
  name: "conformance",
  options: { type: "object", additionalProperties: false, properties: {} },
  create: (): Plugin => ({
    name: "conformance",
    position: "observe",
    specs: ["test_trigger_tool_change", "test_trigger_prompt_change", "test_trigger_resource_change"].map(spec),
    setup(host) {
      const watched = new WatchedResource();
      let toolChanges = 0;
      let morePrompts = false;
      const triggers: Readonly<Record<string, () => string>> = {
        test_trigger_tool_change() {
          toolChanges += 1;
          host.invalidateLists("tools");
          return `The list of tools changed, for the ${toolChanges}. time.`;
        },
        test_trigger_prompt_change() {
          morePrompts = !morePrompts;
          host.invalidateLists("prompts");
          return `test_appearing_prompt was ${morePrompts ? "added" : "removed"}.`;
        },
        test_trigger_resource_change: () => `test://watched-resource changed, for the ${watched.change()}. time.`,
      };
      return {
        handler: ({ name }) => triggers[name],
        async listTools(_query, next) {
          const listings = await next();
          if (toolChanges === 0) return listings;
          return listings.map((listing) =>
            listing.tool.name === "test_trigger_tool_change" ? { ...listing, lead: `The list changed ${toolChanges} times so far.` } : listing,
          );
        },
        get prompts() {
          return prompts(morePrompts);
        },
        resources: [...resources, watched],
        resourceTemplates,
      };
    },
  }),
});

export default conformance;
