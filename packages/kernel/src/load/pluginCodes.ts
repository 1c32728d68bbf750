import { type CodeTable, defineCodes } from "@fettle/contract";

/** Codes of what plugins do wrong while specs are checked. They keep no tool from being served. */
export type PluginCode = "check-threw" | "bad-finding";

/** The table of `plugin/*`. */
export const pluginCodes: CodeTable<PluginCode> = defineCodes<PluginCode>("plugin", {
  "check-threw": {
    message: "A check of a plugin threw. The finding names the plugin and the hook; what the check found before is kept.",
    hint: "This is a fault of the plugin, not of the spec.",
  },
  "bad-finding": {
    message: "A check of a plugin gave something that is no finding.",
    hint: "Authors of plugins: a finding has a code (namespace/kebab), a severity and a message, and one of checkCatalog its tool.",
  },
});
