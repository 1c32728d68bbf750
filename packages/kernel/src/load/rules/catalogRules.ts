import type { Finding, Tool } from "@fettle/contract";
import { foldedNames } from "./foldedNames.js";
import { namedTools } from "./namedTools.js";
import { proseNames } from "./proseNames.js";
import { successors } from "./successors.js";

/** What the rules over several tools look at. */
export type CatalogTool = Pick<Tool, "name" | "version" | "spec" | "file">;

/** A finding in the spec file of one of several tools. */
export type CatalogFinding = Finding & { readonly file: string };

/**
 * The rules of spec version 1 over several tools. Their codes are `catalog/*`, since no tool vanishes because of its neighbour.
 *
 * @param tools - the tools that are served, in a stable order
 * @param alsoKnown - names of tools that are there and aren't served, for example since their own spec has an error
 */
export function* catalogRules(tools: readonly CatalogTool[], alsoKnown: Iterable<string> = []): Iterable<CatalogFinding> {
  const known = new Set([...tools.map(({ name }) => name), ...alsoKnown]);
  yield* namedTools(tools, known);
  yield* proseNames(tools, known);
  yield* successors(tools, known);
  yield* foldedNames(tools);
}
