import type { Catalog, JsonObject, Listing, ListQuery, Logger, Maybe } from "@fettle/contract";
import { runCodes } from "../runCodes.js";
import { thrown } from "../thrown.js";
import { isPromise } from "./isPromise.js";
import type { RunningPlugin } from "./resolveTool.js";

/** Lists tools for whoever asks. */
export type Lister = (query: ListQuery) => Maybe<readonly Listing[]>;

/**
 * Each tool once, the highest stable version, through the plugins that change lists.
 * A plugin that throws or gives nonsense is passed over: a list without its change is better than none.
 */
export function composeList(running: readonly RunningPlugin[], catalog: Catalog, log: Logger): Lister {
  const names = [...new Set(catalog.tools.map(({ name }) => name))];
  const plain: readonly Listing[] = Object.freeze(names.flatMap((name) => catalog.get(name) ?? []).map((tool) => Object.freeze({ tool })));
  return running.reduceRight<Lister>(
    (inner, { plugin, run }) => {
      if (!run.listTools) return inner;
      const list = run.listTools.bind(run);
      return (query) => {
        const passOver = (did: string, fields: JsonObject = {}): Maybe<readonly Listing[]> => {
          log.error(`plugin ${plugin.name} ${did}; its change to the list is left out`, {
            code: runCodes.code("bad-list"),
            plugin: plugin.name,
            hook: "listTools",
            ...fields,
          });
          return inner(query);
        };
        const threw = (error: unknown): Maybe<readonly Listing[]> => passOver("threw in its listTools hook", thrown(error));
        const checked = (listed: readonly Listing[]): Maybe<readonly Listing[]> =>
          isList(listed, catalog) ? listed : passOver("gave something that is no list of tools");
        try {
          const listed = list(query, () => inner(query));
          return isPromise(listed) ? Promise.resolve(listed).then(checked).catch(threw) : checked(listed);
        } catch (error) {
          return threw(error);
        }
      };
    },
    () => plain,
  );
}

function isList(value: unknown, catalog: Catalog): boolean {
  return (
    Array.isArray(value) &&
    value.every((listing: Listing | null | undefined) => listing?.tool !== undefined && catalog.get(listing.tool?.name, listing.tool?.version) === listing.tool)
  );
}
