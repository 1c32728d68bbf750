import type { ListName, Outcome } from "@fettle/contract";
import { type Kernel, showsSameTools } from "@fettle/kernel";

/** A kernel that can be replaced by another one while it is served. */
export interface LiveKernel {
  /** What is served: whichever kernel is the current one. */
  readonly kernel: Kernel;
  /**
   * Serves another kernel from now on. Calls in flight end on the one before, which is closed after the last of them.
   *
   * @param next the new kernel; from now on closed by `kernel.close()`
   */
  replace(next: Kernel): void;
}

/** Makes a kernel replaceable. */
export function liveKernel(first: Kernel): LiveKernel {
  let current = first;
  const inFlight = new Map<Kernel, number>([[first, 0]]);
  const listeners = new Set<(lists: readonly ListName[]) => void>();
  const tell = (lists: readonly ListName[]): void => {
    for (const listener of listeners) listener(lists);
  };
  let stopListening = current.onListChanged(tell);

  /** A kernel that was replaced goes with its last call: tools that call tools find it open to the end. */
  const retire = (kernel: Kernel): void => {
    if (kernel === current || inFlight.get(kernel) !== 0) return;
    inFlight.delete(kernel);
    void kernel.close();
  };
  const count = (kernel: Kernel, by: number): void => void inFlight.set(kernel, (inFlight.get(kernel) ?? 0) + by);
  const ended = <T>(kernel: Kernel, value: T): T => {
    count(kernel, -1);
    retire(kernel);
    return value;
  };

  const kernel: Kernel = {
    get config() {
      return current.config;
    },
    get diagnostics() {
      return current.diagnostics;
    },
    get sources() {
      return current.sources;
    },
    get contributes() {
      return current.contributes;
    },
    get prompts() {
      return current.prompts;
    },
    get resources() {
      return current.resources;
    },
    get resourceTemplates() {
      return current.resourceTemplates;
    },
    get routes() {
      return current.routes;
    },
    get commands() {
      return current.commands;
    },
    catalog: () => current.catalog(),
    ownerOf: (contribution) => current.ownerOf(contribution),
    identify: (request) => current.identify(request),
    call(ask) {
      const its = current;
      count(its, 1);
      const outcome = its.call(ask);
      return outcome instanceof Promise ? outcome.then((settled: Outcome) => ended(its, settled)) : ended(its, outcome);
    },
    async contribute(of, run) {
      const its = current;
      count(its, 1);
      try {
        return await its.contribute(of, run);
      } finally {
        ended(its, undefined);
      }
    },
    listTools: (query) => current.listTools(query),
    get variesList() {
      return current.variesList;
    },
    explain: (name, version) => current.explain(name, version),
    reload: (options) => current.reload(options),
    onListChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    health: () => current.health(),
    async close(options) {
      await Promise.all([...inFlight.keys()].map((each) => each.close(options)));
    },
  };
  return {
    kernel,
    replace(next) {
      const old = current;
      stopListening();
      current = next;
      inFlight.set(next, 0);
      stopListening = next.onListChanged(tell);
      const lists = changedLists(old, next);
      if (lists.length > 0) tell(lists);
      retire(old);
    },
  };
}

/** The lists that clients have to ask for again once `after` is served in place of `before`. */
function changedLists(before: Kernel, after: Kernel): readonly ListName[] {
  const prompts = shown(after.prompts);
  const lists: ListName[] = [];
  if (!showsSameTools(before, after)) lists.push("tools");
  if (prompts === undefined || prompts !== shown(before.prompts)) lists.push("prompts");
  // Resources that look as they did are of another plugin, and what clients watch of them has to be watched anew.
  if (before.contributes.resources || after.contributes.resources) lists.push("resources");
  return lists;
}

/** What clients are shown of a list; undefined where that can't be told. */
function shown(list: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(list);
  } catch {
    return undefined;
  }
}
