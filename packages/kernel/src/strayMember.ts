import type { Plugin, PluginModule, PluginRun } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";

/** The three objects that a plugin is made of: its module, what `create` returns, and what `setup` returns. */
export type PluginPart = "module" | "plugin" | "run";

const MODULE = { name: true, options: true, create: true } satisfies Record<keyof PluginModule, true>;
const PLUGIN = {
  name: true,
  position: true,
  section: true,
  checkTool: true,
  checkCatalog: true,
  modules: true,
  specs: true,
  commands: true,
  setup: true,
} satisfies Record<keyof Plugin, true>;
const RUN = {
  identify: true,
  resolveTool: true,
  listTools: true,
  layer: true,
  handler: true,
  prompts: true,
  resources: true,
  resourceTemplates: true,
  routes: true,
  health: true,
  dispose: true,
} satisfies Record<keyof PluginRun, true>;

const PARTS: Readonly<Record<PluginPart, { readonly where: string; readonly members: readonly string[] }>> = {
  module: { where: "in its module", members: Object.keys(MODULE) },
  plugin: { where: "in what create returns", members: Object.keys(PLUGIN) },
  run: { where: "in what setup returns", members: Object.keys(RUN) },
};

/** A member with one of these at its start is the author's own. */
const OWN = /^(_|x-)/;

/** A member that does nothing where it stands. */
export interface StrayMember {
  /** What is wrong, without the name of the plugin: `the member secton in what create returns does nothing`. */
  readonly message: string;
  readonly hint: string;
}

/**
 * The first member of a part of a plugin that is none of those that are used there: misspelt, or meant for another part. An instance of a class
 * may have what it likes, and so may members that start with `_` or `x-`.
 */
export function strayMember(part: PluginPart, value: object): StrayMember | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  const { where, members } = PARTS[part];
  const key = Object.keys(value).find((each) => !members.includes(each) && !OWN.test(each));
  if (key === undefined) return undefined;
  return { message: `the member ${JSON.stringify(key)} ${where} does nothing`, hint: hintOf(part, key, Object.keys(value)) };
}

function hintOf(part: PluginPart, key: string, present: readonly string[]): string {
  const others = (["module", "plugin", "run"] as const).filter((each) => each !== part);
  const home = others.find((each) => PARTS[each].members.includes(key));
  if (home) return `It belongs ${PARTS[home].where}.`;
  const { members } = PARTS[part];
  const near = nearestWord(
    key,
    members.filter((each) => !present.includes(each)),
  );
  if (near) return `Did you mean ${near}?`;
  for (const other of others) {
    const there = nearestWord(key, PARTS[other].members);
    if (there) return `Did you mean ${there}? It belongs ${PARTS[other].where}.`;
  }
  return `Known there: ${members.join(", ")}. A member of your own starts with _ or x-.`;
}
