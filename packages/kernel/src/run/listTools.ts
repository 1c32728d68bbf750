import type { Catalog, Clock, JsonObject, Listing, ListQuery, Maybe } from "@fettle/contract";
import type { Platform } from "../platform.js";
import { runCodes } from "../runCodes.js";
import { thrown } from "../thrown.js";
import { LimitReached } from "../withinLimit.js";
import { isPromise } from "./isPromise.js";
import type { RunningPlugin } from "./resolveTool.js";

/** Lists tools for whoever asks. */
export type Lister = (query: ListQuery) => Maybe<readonly Listing[]>;

/** Time for one plugin to change the list, in milliseconds: it may ask another server. */
const LIST_LIMIT_MS = 10_000;

/**
 * Each tool once, the highest stable version, through the plugins that change lists.
 * A plugin that throws, gives nonsense or doesn't answer within 10 s is passed over: a list without its change is better than none.
 */
export function composeList(running: readonly RunningPlugin[], catalog: Catalog, { clock, log }: Pick<Platform, "clock" | "log">): Lister {
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
        const threw = (error: unknown): Maybe<readonly Listing[]> =>
          error instanceof LimitReached
            ? passOver(`did not answer within ${LIST_LIMIT_MS / 1_000} s in its listTools hook`)
            : passOver("threw in its listTools hook", thrown(error));
        const checked = (listed: readonly Listing[]): Maybe<readonly Listing[]> =>
          isList(listed, catalog) ? listed : passOver("gave something that is no list of tools");
        try {
          const listed = withinOwnTime(
            clock,
            (next) => list(query, next),
            () => inner(query),
          );
          return isPromise(listed) ? listed.then(checked).catch(threw) : checked(listed);
        } catch (error) {
          return threw(error);
        }
      };
    },
    () => plain,
  );
}

/**
 * Runs a hook, for {@link LIST_LIMIT_MS} at most, of which the time that the plugins inside of it take is not counted: the one that hangs is
 * passed over, and not those around it.
 */
function withinOwnTime<T>(clock: Clock, hook: (next: () => Maybe<T>) => Maybe<T>, inner: () => Maybe<T>): T | Promise<T> {
  let inside = 0;
  let stop = (): void => {};
  let start = (): void => {};
  const given = hook(() => {
    const listed = inner();
    if (!isPromise(listed)) return listed;
    inside += 1;
    stop();
    return Promise.resolve(listed).finally(() => {
      inside -= 1;
      if (inside === 0) start();
    });
  });
  if (!isPromise(given)) return given;
  return new Promise<T>((resolve, reject) => {
    start = () => {
      stop();
      stop = clock.after(LIST_LIMIT_MS, () => reject(new LimitReached(LIST_LIMIT_MS)));
    };
    if (inside === 0) start();
    const over = (): void => {
      start = () => {};
      stop();
    };
    Promise.resolve(given).then(resolve, reject).finally(over);
  });
}

function isList(value: unknown, catalog: Catalog): boolean {
  return (
    Array.isArray(value) &&
    value.every((listing: Listing | null | undefined) => listing?.tool !== undefined && catalog.get(listing.tool?.name, listing.tool?.version) === listing.tool)
  );
}
