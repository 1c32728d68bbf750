import { isThrownToolError, type Resource, type ResourceTemplate } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { type FoundResource, findResource } from "../findResource.js";
import { ProtocolError } from "../protocolError.js";
import { WIRE_CODE } from "../wireError.js";

/** Most resources that one session, connection or stream may be subscribed to. */
const MOST_SUBSCRIPTIONS = 1_000;

/** Tells a client, or all whom one call reaches, that the resource at this URI changed. */
export type TellUpdated = (uri: string) => void;

/** One URI that somebody is subscribed to. */
interface Watch {
  readonly uri: string;
  /** By who holds the subscription. */
  readonly holders: Map<object, TellUpdated>;
  /** What is watched now; undefined while a plugin doesn't have it. */
  source: Resource | ResourceTemplate | undefined;
  stop: () => void;
  /** Whether a change is to be told at the end of this turn. */
  changed: boolean;
}

/**
 * Who is subscribed to which resources, over all sessions, connections and streams of one server. A resource's `watch` is called once while
 * anybody is subscribed, and stopped when the last one goes.
 */
export class ResourceWatches {
  readonly #kernel: Kernel;
  readonly #report: (error: unknown) => void;
  readonly #watches = new Map<string, Watch>();
  readonly #held = new Map<object, Set<string>>();
  readonly #stopListening: () => void;

  constructor(kernel: Kernel, report: (error: unknown) => void) {
    this.#kernel = kernel;
    this.#report = report;
    this.#stopListening = kernel.onListChanged((lists) => {
      if (!lists.includes("resources") || this.#watches.size === 0) return;
      // Once for all: the kernel asks its plugins each time.
      const { resources, resourceTemplates } = kernel;
      for (const watch of [...this.#watches.values()]) this.#lookAgain(watch, findResource(watch.uri, resources, resourceTemplates));
    });
  }

  /** How many resources are watched. */
  get size(): number {
    return this.#watches.size;
  }

  /**
   * Subscribes `holder` to a resource, until it unsubscribes or is released. A second time changes nothing. Holders that give the same `tell`
   * have it called once for a change.
   *
   * @throws ProtocolError where there is no such resource, or it can't be watched, or the holder has too many; and whatever `watch` throws
   */
  subscribe(holder: object, uri: string, tell: TellUpdated): void {
    const held = this.#held.get(holder) ?? new Set();
    if (held.has(uri)) return;
    if (held.size >= MOST_SUBSCRIPTIONS) {
      const text = `At most ${MOST_SUBSCRIPTIONS} resources can be subscribed to at once. Unsubscribe from some that are not needed any more.`;
      throw new ProtocolError(WIRE_CODE.invalidParams, text);
    }
    let watch = this.#watches.get(uri);
    if (watch === undefined) {
      watch = { uri, holders: new Map(), source: undefined, stop: () => {}, changed: false };
      this.#start(watch);
      this.#watches.set(uri, watch);
    }
    watch.holders.set(holder, tell);
    held.add(uri);
    this.#held.set(holder, held);
  }

  /** Ends one subscription. One that isn't there is none too few. */
  unsubscribe(holder: object, uri: string): void {
    const held = this.#held.get(holder);
    if (held?.delete(uri) !== true) return;
    if (held.size === 0) this.#held.delete(holder);
    const watch = this.#watches.get(uri);
    watch?.holders.delete(holder);
    if (watch?.holders.size !== 0) return;
    this.#watches.delete(uri);
    this.#stop(watch);
  }

  /** Ends all subscriptions of a holder. */
  release(holder: object): void {
    for (const uri of [...(this.#held.get(holder) ?? [])]) this.unsubscribe(holder, uri);
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#stopListening();
    for (const holder of [...this.#held.keys()]) this.release(holder);
  }

  #start(watch: Watch, found = findResource(watch.uri, this.#kernel.resources, this.#kernel.resourceTemplates)): void {
    const { uri } = watch;
    if (found === undefined) {
      throw new ProtocolError(
        WIRE_CODE.invalidParams,
        "There is no resource at this URI to subscribe to. resources/list and resources/templates/list show what there is.",
        { uri },
      );
    }
    let live = false;
    const changed = (): void => {
      // What is told before the watch stands is no change that anybody missed, and what is told after its end is for nobody.
      if (live) this.#changed(watch);
    };
    const source = "template" in found ? found.template : found.resource;
    let stop: (() => void) | undefined;
    try {
      stop = "template" in found ? found.template.watch?.(uri, found.variables, changed) : found.resource.watch?.(changed);
    } catch (error) {
      throw isThrownToolError(error) ? error : this.#named(source, "threw in its watch hook", error);
    }
    if (stop === undefined) {
      const text = "This resource can't be subscribed to: the server doesn't hear of its changes. Read it again when a new state is needed.";
      throw new ProtocolError(WIRE_CODE.invalidParams, text, { uri });
    }
    live = true;
    watch.source = source;
    watch.stop = () => {
      live = false;
      stop();
    };
  }

  #stop(watch: Watch): void {
    const { stop, source } = watch;
    watch.source = undefined;
    watch.stop = () => {};
    try {
      stop();
    } catch (error) {
      this.#report(source === undefined ? error : this.#named(source, "threw when it was to stop watching", error));
    }
  }

  /** What a plugin threw, for the log: with its name. */
  #named(source: Resource | ResourceTemplate, did: string, error: unknown): Error {
    const owner = this.#kernel.ownerOf(source) ?? "(unknown)";
    const named = new Error(`plugin ${owner} ${did}: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof Error && error.stack !== undefined) named.stack = error.stack;
    return named;
  }

  /** The plugins' resources changed: the one that is watched may be gone, back, or another. */
  #lookAgain(watch: Watch, found: FoundResource | undefined): void {
    const before = watch.source;
    const now = found && ("template" in found ? found.template : found.resource);
    if (before === now) return;
    this.#stop(watch);
    if (now?.watch !== undefined) {
      try {
        this.#start(watch, found);
      } catch (error) {
        this.#report(error);
      }
    }
    this.#changed(watch);
  }

  /** Tells at the end of this turn, and once, however often the resource changed in it. */
  #changed(watch: Watch): void {
    if (watch.changed) return;
    watch.changed = true;
    queueMicrotask(() => {
      watch.changed = false;
      for (const tell of new Set(watch.holders.values())) tell(watch.uri);
    });
  }
}
