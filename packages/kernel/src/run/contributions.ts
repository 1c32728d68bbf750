import type { PluginRun } from "@fettle/contract";
import type { Platform } from "../platform.js";
import { thrown } from "../thrown.js";
import type { RunningPlugin } from "./resolveTool.js";

type Kind = "prompts" | "resources" | "resourceTemplates";
type Contribution<K extends Kind> = NonNullable<PluginRun[K]>[number];

const KEY = { prompts: "name", resources: "uri", resourceTemplates: "uriTemplate" } as const;

/** What the plugins contribute to lists. */
export interface Contributions {
  /** Whether any plugin has such a member, also an empty one: it may fill it later. */
  readonly contributes: { readonly prompts: boolean; readonly resources: boolean };
  /** All contributions of a kind as they are now, in config order; of several with one key the first. */
  now<K extends Kind>(kind: K): readonly Contribution<K>[];
  /** The plugin that a contribution is of. */
  ownerOf(contribution: Contribution<Kind>): string | undefined;
}

/**
 * Collects what plugins contribute, each time anew: they may change it. A plugin whose getter throws or gives no list is passed over, since
 * the others' contributions are better than none.
 */
export function collectContributions(running: readonly RunningPlugin[], log: Platform["log"]): Contributions {
  const of = <K extends Kind>({ plugin, run }: RunningPlugin, kind: K): readonly Contribution<K>[] => {
    const passOver = (did: string, fields = {}): readonly Contribution<K>[] => {
      log.error(`plugin ${plugin.name} ${did}; none of its ${kind} are served`, { plugin: plugin.name, hook: kind, ...fields });
      return [];
    };
    try {
      const given: unknown = run[kind] ?? [];
      if (!Array.isArray(given)) return passOver(`gave something that is no list of ${kind}`);
      return given as readonly Contribution<K>[];
    } catch (error) {
      return passOver(`threw when it was asked for its ${kind}`, thrown(error));
    }
  };
  const owners = new WeakMap<object, string>();
  const has = (kind: Kind): boolean =>
    running.some(({ run }) => {
      try {
        return run[kind] !== undefined;
      } catch {
        return true;
      }
    });
  return {
    contributes: { prompts: has("prompts"), resources: has("resources") || has("resourceTemplates") },
    now(kind) {
      const seen = new Set<unknown>();
      return running
        .flatMap((each) => {
          const own = of(each, kind);
          for (const contribution of own) if (typeof contribution === "object" && contribution !== null) owners.set(contribution, each.plugin.name);
          return own;
        })
        .filter((contribution) => {
          const key: unknown = (contribution as unknown as Readonly<Record<string, unknown>>)[KEY[kind]];
          if (seen.has(key)) return false;
          seen.add(key);
          return true;
        });
    },
    ownerOf: (contribution) => owners.get(contribution),
  };
}
