import type { Catalog, Listing, ListQuery, Logger, Maybe } from "@fettle/contract";
import { thrown } from "./failure.js";
import { isPromise } from "./isPromise.js";
import type { RunningPlugin } from "./resolveTool.js";

/** Lists tools for whoever asks. */
export type Lister = (query: ListQuery) => Maybe<readonly Listing[]>;

/**
 * Each tool once, the highest stable version, through the plugins that change lists.
 * A plugin that throws is passed over: a list without its change is better than none.
 */
export function composeList(running: readonly RunningPlugin[], catalog: Catalog, log: Logger): Lister {
  const names = [...new Set(catalog.tools.map(({ name }) => name))];
  const plain: readonly Listing[] = Object.freeze(names.flatMap((name) => catalog.get(name) ?? []).map((tool) => Object.freeze({ tool })));
  return running.reduceRight<Lister>(
    (inner, { plugin, run }) => {
      if (!run.listTools) return inner;
      const list = run.listTools.bind(run);
      return (query) => {
        const passOver = (error: unknown): Maybe<readonly Listing[]> => {
          log.error(`plugin ${plugin.name} threw in listTools`, { plugin: plugin.name, hook: "listTools", ...thrown(error) });
          return inner(query);
        };
        try {
          const listed = list(query, () => inner(query));
          return isPromise(listed) ? (listed as Promise<readonly Listing[]>).catch(passOver) : listed;
        } catch (error) {
          return passOver(error);
        }
      };
    },
    () => plain,
  );
}
