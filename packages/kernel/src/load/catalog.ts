import type { Catalog, Tool } from "@fettle/contract";
// By file: the package as a whole is 48 of them.
import compare from "semver/functions/compare.js";
import prerelease from "semver/functions/prerelease.js";
import type { LoadedTool } from "../loadedTool.js";

/** Freezes a set of tools. Pairs of name and version are unique here: the loader saw to it. */
export function freezeCatalog(loaded: readonly LoadedTool[]): Catalog {
  const byName = new Map<string, Tool[]>();
  for (const { tool } of loaded) byName.set(tool.name, [...(byName.get(tool.name) ?? []), tool]);
  for (const versions of byName.values()) versions.sort((a, b) => compare(b.version, a.version));
  const names = [...byName.keys()].sort();
  const tools = Object.freeze(names.flatMap((name) => byName.get(name) ?? []));
  // A pre-release is never the default: it is served to those who name it.
  const stable = new Map(names.map((name) => [name, byName.get(name)?.find(({ version }) => !prerelease(version))]));
  return Object.freeze({
    tools,
    get: (name: string, version?: string) => (version === undefined ? stable.get(name) : byName.get(name)?.find((tool) => tool.version === version)),
    versions: (name: string) => byName.get(name) ?? [],
  });
}

/** Freezes JSON through and through. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
