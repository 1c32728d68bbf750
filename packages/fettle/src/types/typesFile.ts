import { basename } from "node:path";
import type { Tool } from "@fettle/contract";
import { declareTypes, isSchema } from "@fettle/schema";

const SPEC_END = /\.tool\.yaml$/;
const BY = "by `fettle types`. Don't edit it: change the spec, then run that again.";
/** How a types file begins, with the name of its spec. Formatters and linters are asked to leave it alone, each in its own words. */
const header = (spec: string): string => `/**
 * Generated from ${spec} ${BY}
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
`;

/** The name that the handler types of a spec have: `git_log@1.tool.yaml` has `git_log@1.types.ts`. */
export function typesFileOf(specFile: string): string {
  return specFile.replace(SPEC_END, ".types.ts");
}

/** Whether a text is of a types file that was generated, also by an earlier version, and with whatever ends of lines Git checked it out. */
export function isGenerated(text: string): boolean {
  return /^\/\*\*\r?\n \* Generated from /.test(text) && text.slice(0, 1_000).includes(BY);
}

/** Whether a types file says what it should. Git for Windows checks files out with CRLF, which says the same. */
export function saysTheSame(found: string, text: string): boolean {
  return found.replaceAll("\r\n", "\n") === text.replaceAll("\r\n", "\n");
}

/**
 * The types that the handler of a tool is written against: `Args`, `Output`, `Handler`.
 *
 * @param options.defaults whether arguments with a default are always there, because validation fills them in
 */
export function typesFileText(
  { name, version, spec, file }: Pick<Tool, "name" | "version" | "spec" | "file">,
  options: { readonly defaults: boolean },
): string {
  const taken = new Set(["Args", "Output", "Handler", "ToolHandler", "HandlerResult", "HandlerQuestion"]);
  const { parameters, output } = spec;
  const args = declareTypes(isSchema(parameters) ? parameters : true, {
    name: "Args",
    side: "read",
    defaults: options.defaults,
    taken,
    about: `What ${name} ${version} is called with, as its handler sees it.`,
  });
  const result = isSchema(output)
    ? declareTypes(output, { name: "Output", side: "written", taken, about: `The data that ${name} ${version} answers with.` })
    : undefined;
  const imports = [
    "Handler as ToolHandler",
    ...(result ? ["HandlerQuestion", "HandlerResult"] : []),
    ...(args.uses.has("Json") || !result ? ["Json"] : []),
    ...(args.uses.has("JsonObject") ? ["JsonObject"] : []),
  ];
  return [
    `${header(basename(file))}import type { ${imports.join(", ")} } from "fettle";\n`,
    args.text,
    result?.text ?? "/** The spec has no `output`: any JSON. */\nexport type Output = Json;\n",
    `/** The handler of ${name} ${version}. */\nexport type Handler = ToolHandler<${result ? "Args, Output | HandlerResult | HandlerQuestion" : "Args"}>;\n`,
  ].join("\n");
}
