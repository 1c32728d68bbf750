import { definePlugin, type Host, type PluginModule, type Prompt, type Resource, type ResourceTemplate } from "@fettle/contract";
import type { TestTool } from "@fettle/testkit";

/** A plugin that contributes nothing at first, and a tool that makes it contribute. */
export function changingContributions(): { readonly plugin: PluginModule; readonly tools: Readonly<Record<string, TestTool>> } {
  let host: Host | undefined;
  const prompts: Prompt[] = [];
  let resources: readonly Resource[] = [];
  const resourceTemplates: ResourceTemplate[] = [];
  const plugin = definePlugin({
    name: "changing",
    options: {},
    create: () => ({
      name: "changing",
      position: "observe" as const,
      setup: (given) => {
        host = given;
        return {
          prompts,
          get resources() {
            return resources;
          },
          resourceTemplates,
        };
      },
    }),
  });
  return {
    plugin,
    tools: {
      contribute: ({ name }: { name: string }) => {
        prompts.push({ name, get: () => ({ messages: [{ role: "user", content: { type: "text", text: name } }] }) });
        resources = [...resources, { name, uri: `test://changing/${name}`, read: () => [{ uri: `test://changing/${name}`, text: name }] }];
        resourceTemplates.push({ name, uriTemplate: `test://${name}/{id}`, read: (uri) => [{ uri, text: name }] });
        host?.invalidateLists("prompts", "resources");
        return { contributed: name };
      },
    },
  };
}
