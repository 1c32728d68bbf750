import type { CatalogFinding, CatalogTool } from "./catalogTool.js";
import { foldedNames } from "./foldedNames.js";
import { namedTools } from "./namedTools.js";
import { proseNames } from "./proseNames.js";
import { successors } from "./successors.js";

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
