import type { JsonSchema } from "@fettle/contract";
import { isObject, isSchema, type Members, own, type SchemaObject } from "./jsonType.js";
import { metaSchema } from "./metaSchemas.js";
import { type Dialect, subschemas } from "./subschemas.js";

/** Where a schema without `$id` is taken to be. Reserved by RFC 2606, so it can't be anybody's. */
const NOWHERE = "https://schema.invalid/";
/** `$id`s and references nest no deeper than this before a schema is refused anyway. */
const DEEPEST = 512;

/** A document by its URI. */
export type KnownDocument = (uri: string) => JsonSchema | undefined;

/** What a reference leads to. */
export interface Target {
  readonly schema: JsonSchema;
  /** The name of the `$dynamicAnchor` that the reference named, if it named one. */
  readonly dynamicAnchor?: string;
}

/**
 * Every schema of a document by its URI: what `$ref`, `$anchor`, `$dynamicRef` and nested `$id`s mean.
 * Nothing is ever fetched: a reference leads into the document, into one of the known documents, or nowhere.
 */
export class SchemaIndex {
  readonly root: JsonSchema;
  readonly dialect: Dialect;
  readonly #known: KnownDocument;
  readonly #base = new Map<object, string>();
  readonly #resources = new Map<string, JsonSchema>();
  readonly #anchors = new Map<string, JsonSchema>();
  readonly #dynamic = new Map<string, JsonSchema>();
  readonly #targets = new Map<object, Target | undefined>();

  /** @param known documents that may be referred to by URI; default the meta-schemas */
  constructor(root: JsonSchema, dialect: Dialect, known: KnownDocument = (uri) => metaSchema(dialect, uri)) {
    this.root = root;
    this.dialect = dialect;
    this.#known = known;
    this.#resources.set(NOWHERE, root);
    this.#add(root, NOWHERE, 0);
  }

  /** Whether all of the document is one resource: no `$id` inside, and nothing referred to outside. */
  get isSingle(): boolean {
    return this.#resources.size === 1;
  }

  /** The URI that references in `schema` are relative to. */
  baseOf(schema: Members): string {
    return this.#base.get(schema) ?? NOWHERE;
  }

  /** Where `schema`'s `$ref` or `$dynamicRef` leads, taken literally. Undefined when nowhere. */
  resolve(schema: SchemaObject, ref: string): Target | undefined {
    // One reference per schema object and keyword is the rule; a schema with both is resolved without the cache.
    const cacheable = !(Object.hasOwn(schema, "$ref") && Object.hasOwn(schema, "$dynamicRef"));
    if (cacheable && this.#targets.has(schema)) return this.#targets.get(schema);
    const target = this.#find(ref, this.baseOf(schema));
    if (cacheable) this.#targets.set(schema, target);
    return target;
  }

  /** The schema of a `$dynamicAnchor` in the resource at `base`. */
  dynamicAnchor(base: string, name: string): JsonSchema | undefined {
    return this.#dynamic.get(`${base}#${name}`);
  }

  #find(ref: string, base: string): Target | undefined {
    let uri: URL;
    try {
      uri = new URL(ref, base);
    } catch {
      return undefined;
    }
    const fragment = uri.hash.slice(1);
    uri.hash = "";
    const home = uri.href.replace(/#$/, "");
    let resource = this.#resources.get(home);
    if (resource === undefined) {
      resource = this.#known(home);
      if (resource === undefined) return undefined;
      this.#resources.set(home, resource);
      this.#add(resource, home, 0);
    }
    if (fragment === "") return { schema: resource };
    if (!fragment.startsWith("/")) {
      const key = `${home}#${fragment}`;
      const schema = this.#anchors.get(key);
      if (schema === undefined) return undefined;
      return this.#dynamic.has(key) ? { schema, dynamicAnchor: fragment } : { schema };
    }
    return this.#walk(resource, fragment);
  }

  #walk(resource: JsonSchema, pointer: string): Target | undefined {
    let at: unknown = resource;
    let base = isObject(resource) ? this.baseOf(resource) : NOWHERE;
    for (const raw of pointer.slice(1).split("/")) {
      let key: string;
      try {
        key = decodeURIComponent(raw).replaceAll("~1", "/").replaceAll("~0", "~");
      } catch {
        return undefined;
      }
      if (typeof at !== "object" || at === null || (Array.isArray(at) && !/^(0|[1-9]\d*)$/.test(key))) return undefined;
      at = Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
      if (typeof at === "object" && at !== null) base = this.#base.get(at) ?? base;
    }
    if (!isSchema(at)) return undefined;
    // A place that no keyword of the dialect makes a schema becomes one by being referred to.
    if (typeof at === "object" && !this.#base.has(at)) this.#add(at, base, 0);
    return { schema: at };
  }

  #add(schema: JsonSchema, base: string, depth: number): void {
    if (typeof schema === "boolean" || this.#base.has(schema) || depth > DEEPEST) return;
    let here = base;
    const id = own(schema, "$id");
    // Draft-07: everything beside $ref is ignored, $id too, and "#name" as an $id is an anchor.
    const counts = this.dialect === "2020-12" || !Object.hasOwn(schema, "$ref");
    if (typeof id === "string" && counts) {
      if (id.startsWith("#")) this.#anchors.set(`${base}${id}`, schema);
      else {
        here = this.#absolute(id, base);
        this.#resources.set(here, schema);
      }
    }
    this.#base.set(schema, here);
    for (const [keyword, dynamic] of [
      ["$anchor", false],
      ["$dynamicAnchor", true],
    ] as const) {
      const name = own(schema, keyword);
      if (typeof name !== "string") continue;
      this.#anchors.set(`${here}#${name}`, schema);
      if (dynamic) this.#dynamic.set(`${here}#${name}`, schema);
    }
    for (const inner of subschemas(schema, this.dialect)) this.#add(inner.schema, here, depth + 1);
  }

  #absolute(id: string, base: string): string {
    try {
      const uri = new URL(id, base);
      uri.hash = "";
      return uri.href.replace(/#$/, "");
    } catch {
      return base;
    }
  }
}
