import { createRequire } from "node:module";
import type { JsonSchema } from "@fettle/contract";
import { isSchema, own } from "./jsonType.js";
import type { Dialect } from "./subschemas.js";

const HOME: Readonly<Record<Dialect, string>> = { "2020-12": "https://json-schema.org/draft/2020-12/", "draft-07": "http://json-schema.org/draft-07/" };

/** Where Ajv has them. */
const FILES: Readonly<Record<Dialect, readonly string[]>> = {
  "2020-12": [
    "json-schema-2020-12/schema",
    ...["core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content"].map((name) => `json-schema-2020-12/meta/${name}`),
  ],
  "draft-07": ["json-schema-draft-07"],
};

const require = createRequire(import.meta.url);
const loaded = new Map<Dialect, ReadonlyMap<string, JsonSchema>>();

/** A meta-schema of the dialect by its URI, so that a schema may describe schemas. They come with the package of Ajv: nothing is fetched. */
export function metaSchema(dialect: Dialect, uri: string): JsonSchema | undefined {
  if (!uri.startsWith(HOME[dialect])) return undefined;
  let known = loaded.get(dialect);
  if (known === undefined) {
    known = load(dialect);
    loaded.set(dialect, known);
  }
  return known.get(uri);
}

function load(dialect: Dialect): ReadonlyMap<string, JsonSchema> {
  const known = new Map<string, JsonSchema>();
  for (const file of FILES[dialect]) {
    const schema: unknown = require(`ajv/dist/refs/${file}.json`);
    if (isSchema(schema) && typeof schema === "object") known.set(String(own(schema, "$id")).replace(/#$/, ""), schema);
  }
  return known;
}
