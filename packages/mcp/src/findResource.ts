import type { Resource, ResourceTemplate } from "@fettle/contract";
import { matchTemplate } from "./matchTemplate.js";

/** What is at a URI. */
export type FoundResource = { readonly resource: Resource } | { readonly template: ResourceTemplate; readonly variables: Readonly<Record<string, string>> };

/** The resource at a URI, else the first template that it fits. */
export function findResource(uri: string, resources: readonly Resource[], templates: readonly ResourceTemplate[]): FoundResource | undefined {
  const resource = resources.find((candidate) => candidate.uri === uri);
  if (resource !== undefined) return { resource };
  for (const template of templates) {
    const variables = matchTemplate(template.uriTemplate, uri);
    if (variables !== undefined) return { template, variables };
  }
  return undefined;
}
