import type { Resource } from "fettle";

/** The resource test://watched-resource: its text says how often it changed. */
export class WatchedResource implements Resource {
  readonly uri = "test://watched-resource";
  readonly name = "watched-resource";
  readonly title = "Watched resource";
  readonly description = "Changes when test_trigger_resource_change is called, and tells whoever subscribed.";
  readonly mimeType = "text/plain";
  readonly #watchers = new Set<() => void>();
  #changes = 0;

  read(): ReturnType<Resource["read"]> {
    return [{ uri: this.uri, mimeType: this.mimeType, text: `This resource changed ${this.#changes} times.` }];
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** Changes it and returns how often that happened by now. */
  change(): number {
    this.#changes += 1;
    for (const changed of this.#watchers) changed();
    return this.#changes;
  }
}
