import {
  type CacheHint,
  type HandlerQuestion,
  isHandlerQuestion,
  type JsonObject,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
} from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import type { Result } from "@modelcontextprotocol/server";
import type { ContributionWire } from "./askingContribution.js";
import { checkContents } from "./checkContribution.js";
import { findResource } from "./findResource.js";
import { pageOf } from "./listCursor.js";
import { LONGEST_URI } from "./longestUri.js";
import { ProtocolError } from "./protocolError.js";
import { WIRE_CODE } from "./wireError.js";

const TOO_LONG = `There is no resource at this URI, and it has more than the ${LONGEST_URI} characters that resource templates take. Read a shorter one.`;

const info = ({ name, title, description, mimeType }: Resource | ResourceTemplate): JsonObject => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(mimeType !== undefined && { mimeType }),
});

/**
 * The answer to `resources/list`: a page.
 * @throws ProtocolError -32602 for a cursor that isn't one
 */
export function listResources(resources: readonly Resource[], size: number, cursor: unknown): Result {
  const { page, ...next } = pageOf(resources, ({ uri }) => uri, size, cursor);
  return {
    ...next,
    resources: page.map((resource) => ({ uri: resource.uri, ...info(resource), ...(resource.size !== undefined && { size: resource.size }) })),
  };
}

/**
 * The answer to `resources/templates/list`: a page.
 * @throws ProtocolError -32602 for a cursor that isn't one
 */
export function listResourceTemplates(templates: readonly ResourceTemplate[], size: number, cursor: unknown): Result {
  const { page, ...next } = pageOf(templates, ({ uriTemplate }) => uriTemplate, size, cursor);
  return { ...next, resourceTemplates: page.map((template) => ({ uriTemplate: template.uriTemplate, ...info(template) })) };
}

/**
 * The answer to `resources/read`, or what the resource asks: of the resource at that URI, else of the first template that it fits.
 *
 * @param withCache whether the client's revision has hints for how long to keep it
 * @throws ProtocolError where there is none
 */
export async function readResource(kernel: Readable, params: JsonObject, ctx: ContributionWire, withCache: boolean): Promise<ReadResult | HandlerQuestion> {
  const { uri } = params;
  if (typeof uri !== "string") throw new ProtocolError(WIRE_CODE.invalidParams, "resources/read needs params.uri, a string.");
  const { given, cache } = await readAt(uri, kernel, ctx);
  return isHandlerQuestion(given) ? given : { contents: given, ...(withCache && cache && { ttlMs: cache.ttlMs, cacheScope: cache.scope }) };
}

/** The contents of a resource; from 2026-07-28 on with a hint for how long to keep them. */
export interface ReadResult extends Result {
  readonly contents: readonly ResourceContents[];
  readonly ttlMs?: number;
  readonly cacheScope?: CacheHint["scope"];
}

type Readable = Pick<Kernel, "resources" | "resourceTemplates" | "contribute">;

interface Reading {
  readonly given: readonly ResourceContents[] | HandlerQuestion;
  readonly cache: CacheHint | undefined;
}

async function readAt(uri: string, kernel: Readable, { signal, onLog, ...ctx }: ContributionWire): Promise<Reading> {
  const found = findResource(uri, kernel.resources, kernel.resourceTemplates);
  if (found === undefined) {
    if (uri.length > LONGEST_URI) throw new ProtocolError(WIRE_CODE.invalidParams, TOO_LONG);
    throw new ProtocolError(WIRE_CODE.invalidParams, "There is no resource at this URI. resources/list and resources/templates/list show what there is.", {
      uri,
    });
  }
  const ask = { subject: "The resource", signal, args: [uri], onLog };
  if ("resource" in found) {
    const { resource } = found;
    const check = checkContents(ask.subject, resource.cache);
    const given = await kernel.contribute({ ...ask, of: resource, hook: "resources.read", check }, (own, log) => resource.read({ ...ctx, signal: own, log }));
    return { given, cache: resource.cache };
  }
  const { template, variables } = found;
  const check = checkContents(ask.subject, template.cache);
  const given = await kernel.contribute({ ...ask, of: template, hook: "resourceTemplates.read", check, args: [uri, variables] }, (own, log) =>
    template.read(uri, variables, { ...ctx, signal: own, log }),
  );
  return { given, cache: template.cache };
}
