import type { JsonSchema } from "@fettle/contract";
import { isSchema } from "./jsonType.js";
import { newAjv } from "./loadAjv.js";
import type { Dialect } from "./subschemas.js";

const HOME: Readonly<Record<Dialect, string>> = { "2020-12": "https://json-schema.org/draft/2020-12/", "draft-07": "http://json-schema.org/draft-07/" };

const loaded = new Map<Dialect, ReadonlyMap<string, JsonSchema>>();

/** A meta-schema of the dialect by its URI, so that a schema may describe schemas. They come with Ajv: nothing is fetched. */
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
  const ajv = newAjv(dialect, { logger: false });
  const known = new Map<string, JsonSchema>();
  for (const uri of [...Object.keys(ajv.schemas), ...Object.keys(ajv.refs)]) {
    const schema = ajv.getSchema(uri)?.schema;
    if (isSchema(schema)) known.set(uri.replace(/#$/, ""), schema);
  }
  return known;
}
