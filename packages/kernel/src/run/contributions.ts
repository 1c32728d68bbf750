import type { PluginRun } from "@fettle/contract";
import type { Platform } from "../platform.js";
import { thrown } from "../thrown.js";
import { isUriTemplate } from "./isUriTemplate.js";
import type { RunningPlugin } from "./resolveTool.js";

type Kind = "prompts" | "resources" | "resourceTemplates";
type Contribution<K extends Kind> = NonNullable<PluginRun[K]>[number];

const KINDS: readonly Kind[] = ["prompts", "resources", "resourceTemplates"];
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

/** What makes a contribution impossible to serve. */
function faultOf(kind: Kind, contribution: unknown): string | undefined {
  if (typeof contribution !== "object" || contribution === null) return "it is no object";
  const key: unknown = (contribution as Readonly<Record<string, unknown>>)[KEY[kind]];
  if (typeof key !== "string") return `its ${KEY[kind]} is no text`;
  if (kind === "resourceTemplates" && !isUriTemplate(key)) return `its uriTemplate ${JSON.stringify(key.slice(0, 200))} is none by RFC 6570`;
  return undefined;
}

/**
 * Collects what plugins contribute, each time anew: they may change it. A plugin whose getter throws or gives no list is passed over, since
 * the others' contributions are better than none.
 */
export function collectContributions(running: readonly RunningPlugin[], log: Platform["log"]): Contributions {
  const told = new Set<string>();
  const of = <K extends Kind>({ plugin, run }: RunningPlugin, kind: K): readonly Contribution<K>[] => {
    const passOver = (did: string, fields = {}): readonly Contribution<K>[] => {
      log.error(`plugin ${plugin.name} ${did}; none of its ${kind} are served`, { plugin: plugin.name, hook: kind, ...fields });
      return [];
    };
    try {
      const given: unknown = run[kind] ?? [];
      if (!Array.isArray(given)) return passOver(`gave something that is no list of ${kind}`);
      return given.filter((contribution: unknown, index): contribution is Contribution<K> => {
        const fault = faultOf(kind, contribution);
        if (fault === undefined) return true;
        const line = `plugin ${plugin.name} gave ${kind}[${index}] that can't be served: ${fault}`;
        // Once: the lists are read for every request.
        if (!told.has(line)) log.error(`${line}; it is left out`, { plugin: plugin.name, hook: kind });
        told.add(line);
        return false;
      });
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
  // What doesn't change is looked at now, so that the log says what can't be served before anybody asks for it. A getter may not be ready yet.
  for (const each of running) {
    for (const kind of KINDS) if (Array.isArray(Object.getOwnPropertyDescriptor(each.run, kind)?.value)) of(each, kind);
  }
  return {
    contributes: { prompts: has("prompts"), resources: has("resources") || has("resourceTemplates") },
    now(kind) {
      const seen = new Set<unknown>();
      return running
        .flatMap((each) => {
          const own = of(each, kind);
          for (const contribution of own) owners.set(contribution, each.plugin.name);
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
