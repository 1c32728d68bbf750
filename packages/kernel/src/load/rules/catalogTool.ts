import type { Finding, Tool } from "@fettle/contract";

/** What the rules over several tools look at. */
export type CatalogTool = Pick<Tool, "name" | "version" | "spec" | "file">;

/** A finding in the spec file of one of several tools. */
export type CatalogFinding = Finding & { readonly file: string };
