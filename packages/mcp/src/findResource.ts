import type { Resource, ResourceTemplate } from "@fettle/contract";
import { UriTemplate } from "@modelcontextprotocol/server";

/** What is at a URI. */
export type FoundResource = { readonly resource: Resource } | { readonly template: ResourceTemplate; readonly variables: Readonly<Record<string, string>> };

/** The resource at a URI, else the first template that it fits. */
export function findResource(uri: string, resources: readonly Resource[], templates: readonly ResourceTemplate[]): FoundResource | undefined {
  const resource = resources.find((candidate) => candidate.uri === uri);
  if (resource !== undefined) return { resource };
  for (const template of templates) {
    const match = new UriTemplate(template.uriTemplate).match(uri);
    if (match !== null) return { template, variables: joined(match) };
  }
  return undefined;
}

/** Exploded variables match as lists; the contract has strings. */
function joined(variables: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]));
}
