import { definePlugin, type Host, type PluginModule, type Resource, type ResourceTemplate, resourceError } from "@fettle/contract";

/** A resource that can be watched, as a test sees it. */
export interface Watched {
  /** How often `watch` was called, and how many of these go on. */
  readonly counts: { begun: number; live: number };
  /** Says to whoever watches, or ever watched, that it changed. */
  change(): void;
}

/** Resources that can be watched, and in how many ways that can go wrong. */
export interface WatchedResources {
  readonly plugin: PluginModule;
  readonly host: Host;
  readonly counter: Watched;
  /** Of the template `test://item/{id}`, by id. */
  item(id: string): Watched & Pick<Resource & { watch: NonNullable<Resource["watch"]> }, "watch">;
  resources: readonly Resource[];
  /** Lets the plugin say that its resources changed. */
  listChanged(): void;
}

/** Something to watch that counts who does. */
function watched(): Watched & { watch(changed: () => void): () => void } {
  const counts = { begun: 0, live: 0 };
  const ever: (() => void)[] = [];
  return {
    counts,
    change: () => {
      for (const changed of ever) changed();
    },
    watch: (changed) => {
      counts.begun += 1;
      counts.live += 1;
      ever.push(changed);
      return () => {
        counts.live -= 1;
      };
    },
  };
}

/** A resource that says its own URI. */
export const saying = (uri: string, watch?: Resource["watch"]): Resource => ({ uri, name: uri, read: () => [{ uri, text: uri }], ...(watch && { watch }) });

export function watchedResources(): WatchedResources {
  let host: Host | undefined;
  const counter = watched();
  const items = new Map<string, ReturnType<typeof watched>>();
  const item = (id: string): ReturnType<typeof watched> => {
    const known = items.get(id) ?? watched();
    items.set(id, known);
    return known;
  };
  const template: ResourceTemplate = {
    uriTemplate: "test://item/{id}",
    name: "item",
    read: (uri) => [{ uri, text: uri }],
    watch: (_uri, { id = "" }, changed) => {
      if (id === "none") throw resourceError("test/no-item", { what: "There is no item of that id.", fix: "Look at the list." });
      return item(id).watch(changed);
    },
  };
  const fixture: WatchedResources = {
    plugin: definePlugin({
      name: "watched",
      options: {},
      create: () => ({
        name: "watched",
        position: "observe" as const,
        setup: (given) => {
          host = given;
          return {
            get resources() {
              return fixture.resources;
            },
            resourceTemplates: [template],
          };
        },
      }),
    }),
    get host() {
      if (host === undefined) throw new Error("The plugin isn't set up.");
      return host;
    },
    counter,
    item,
    resources: [
      saying("test://counter", (changed) => counter.watch(changed)),
      saying("test://still"),
      saying("test://at-once", (changed) => {
        changed();
        return counter.watch(changed);
      }),
      saying("test://throws", () => {
        throw new Error("secret-of-the-watch");
      }),
      saying("test://stop-throws", () => () => {
        throw new Error("could not stop");
      }),
    ],
    listChanged: () => host?.invalidateLists("resources"),
  };
  return fixture;
}
