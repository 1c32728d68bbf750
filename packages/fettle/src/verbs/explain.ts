import { createKernel, type Explanation } from "@fettle/kernel";
import { shownPath } from "../format/shownPath.js";
import { createLog } from "../log.js";
import { openProject, requireSpecs } from "../project.js";
import type { Terminal } from "../terminal.js";
import { unknownTool } from "../unknownTool.js";

export interface ExplainOptions {
  readonly config?: string;
  readonly toolVersion?: string;
  readonly json?: boolean;
}

/** `fettle explain`: which version answers, the rings from the outermost to the innermost, the handler, the file and the time limit. */
export async function explain(name: string, options: ExplainOptions, terminal: Terminal): Promise<number> {
  const project = await openProject(options, terminal, createLog(terminal, "warn"));
  const kernel = await createKernel(project);
  try {
    const catalog = kernel.catalog();
    requireSpecs(project, catalog.tools.length + kernel.diagnostics.length);
    const explanation = kernel.explain(name, options.toolVersion);
    if (!explanation) throw unknownTool(kernel, name, options.toolVersion, terminal.cwd);
    const versions = catalog.versions(name).map(({ version }) => version);
    terminal.out(options.json ? asJson(explanation, versions, options, terminal.cwd) : asText(explanation, versions, options, terminal));
    return 0;
  } finally {
    await kernel.close();
  }
}

function asJson({ tool, file, handler, timeoutMs, rings }: Explanation, versions: readonly string[], { toolVersion }: ExplainOptions, cwd: string): string {
  const answer = {
    tool,
    file: shownPath(file, cwd),
    handler: shownPath(handler, cwd),
    timeout_ms: timeoutMs,
    rings,
    resolution: { asked: toolVersion ?? null, version: tool.version, versions },
  };
  return `${JSON.stringify(answer, null, 2)}\n`;
}

function asText(explanation: Explanation, versions: readonly string[], { toolVersion }: ExplainOptions, { cwd, outPaint }: Terminal): string {
  const { tool, file, handler, timeoutMs, rings } = explanation;
  const width = Math.max(0, ...rings.map(({ position }) => position.length));
  const why =
    toolVersion !== undefined ? "the version asked for" : versions.length === 1 ? "the only version" : `the highest stable one of ${versions.join(", ")}`;
  const label = (text: string): string => outPaint("dim", text.padEnd(9));
  return [
    `${outPaint("strong", `${tool.name} ${tool.version}`)}  (${why})`,
    `${label("spec")}${shownPath(file, cwd)}`,
    `${label("handler")}${shownPath(handler, cwd)}`,
    `${label("timeout")}${timeoutMs.toLocaleString("en")} ms`,
    rings.length === 0 ? "No plugin stands around the handler." : "A call goes through, from the outermost to the innermost:",
    ...rings.map(({ position, plugin }, i) => `  ${String(i + 1).padStart(2)}. ${outPaint("place", position.padEnd(width))}  ${plugin}`),
    ...(rings.length === 0 ? [] : [`  ${String(rings.length + 1).padStart(2)}. ${outPaint("place", "handler".padEnd(width))}`]),
    "",
  ].join("\n");
}
