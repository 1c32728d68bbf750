import type { Resource, ResourceTemplate } from "fettle";
import { RED_PIXEL } from "../tools/redPixel.js";

/** Two resources that never change. */
export const resources: readonly Resource[] = [
  {
    uri: "test://static-text",
    name: "static-text",
    title: "Static text",
    description: "A text that never changes, so clients may keep it for an hour.",
    mimeType: "text/plain",
    cache: { ttlMs: 3_600_000, scope: "public" },
    read: () => [{ uri: "test://static-text", mimeType: "text/plain", text: "This is the content of the static text resource." }],
  },
  {
    uri: "test://static-binary",
    name: "static-binary",
    title: "Static image",
    description: "A PNG of one red pixel.",
    mimeType: "image/png",
    read: () => [{ uri: "test://static-binary", mimeType: "image/png", blob: RED_PIXEL }],
  },
];

const IDS = ["123", "124", "200"];

/** One resource for each id. */
export const resourceTemplates: readonly ResourceTemplate[] = [
  {
    uriTemplate: "test://template/{id}/data",
    name: "template-data",
    title: "Data by id",
    description: "JSON that repeats the id of its address.",
    mimeType: "application/json",
    read: (uri, { id = "" }) => [{ uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
    complete: (variable, typed) => (variable === "id" ? IDS.filter((id) => id.startsWith(typed)) : []),
  },
];
