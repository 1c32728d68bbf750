import { type Content, isThrownToolError, type JsonObject, type Outcome, renderToolError } from "@fettle/contract";
import { createKernel, type Kernel } from "@fettle/kernel";
import { markPlaces } from "../format/markPlaces.js";
import { parseArguments, readBounded, withoutMark } from "../jsonArgument.js";
import { createLog } from "../log.js";
import { openProject, requireSpecs } from "../project.js";
import type { Terminal } from "../terminal.js";
import { unknownTool } from "../unknownTool.js";
import { visible } from "../visible.js";

export interface CallOptions {
  readonly config?: string;
  readonly toolVersion?: string;
  /** Idempotency key. */
  readonly key?: string;
  readonly json?: boolean;
}

/** `fettle call`: one call through the whole pipeline; 0 when it is ok, 1 when it ends in an error or a question, 2 for wrong use. */
export async function call(name: string, json: string, options: CallOptions, terminal: Terminal): Promise<number> {
  const { columns, errPaint } = terminal;
  const text = withoutMark(json === "-" ? await readBounded(terminal.input) : json);
  const args = await parseArguments(text, { columns, paint: errPaint });
  const project = await openProject(options, terminal, createLog(terminal, "warn"));
  const kernel = await createKernel(project);
  try {
    requireSpecs(project, kernel.catalog().tools.length + kernel.diagnostics.length);
    const outcome = await interruptible((signal) => ask(kernel, name, args, options, signal, terminal));
    if (isOfNoTool(outcome)) {
      if (options.json) terminal.out(asJson(outcome));
      throw unknownTool(kernel, name, options.toolVersion, terminal.cwd);
    }
    if (options.json) terminal.out(asJson(outcome));
    else show(outcome, await markedProblems(outcome, text, terminal), terminal);
    return outcome.kind === "ok" ? 0 : 1;
  } finally {
    await kernel.close();
  }
}

async function ask(
  kernel: Kernel,
  name: string,
  args: JsonObject,
  options: CallOptions,
  signal: AbortSignal,
  { err, errIsTty, errPaint }: Terminal,
): Promise<Outcome> {
  // Whoever runs the CLI is the local user, as the client of a server on stdio is.
  const caller = await kernel.identify({ transport: "stdio", headers: {}, meta: {} }).catch(refusal);
  if ("kind" in caller) return caller;
  return kernel.call({
    name,
    args,
    signal,
    caller,
    ...(options.toolVersion !== undefined && { version: options.toolVersion }),
    ...(options.key !== undefined && { idempotencyKey: options.key }),
    ...(errIsTty && {
      onProgress: (done: number, total?: number, text?: string) =>
        err(`${errPaint("dim", visible(`${done}${total === undefined ? "" : `/${total}`}${text === undefined ? "" : ` ${text}`}`))}\n`),
    }),
  });
}

/** Why nobody is let in, as the outcome of the call. */
function refusal(error: unknown): Outcome {
  if (isThrownToolError(error)) return error.outcome();
  throw error;
}

const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs with a signal that the first Ctrl-C, SIGTERM or hang-up aborts, so that what the tool started ends too; a second one ends the process as usual. */
async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  for (const end of ENDS) process.once(end, interrupt);
  try {
    return await run(controller.signal);
  } finally {
    for (const end of ENDS) process.removeListener(end, interrupt);
  }
}

const NO_TOOL = new Set(["kernel/unknown-tool", "kernel/no-such-version"]);

/** The call named a tool or version that isn't there: wrong use, unless a plugin answered for it. */
function isOfNoTool(outcome: Outcome): boolean {
  return outcome.kind === "error" && outcome.tool === undefined && NO_TOOL.has(outcome.error.error_code);
}

function asJson(outcome: Outcome): string {
  const { notes, tool, meta } = outcome;
  const answer: JsonObject = {
    ok: outcome.kind === "ok",
    data: outcome.kind === "ok" ? (outcome.data ?? null) : null,
    content: outcome.kind === "ok" ? JSON.parse(JSON.stringify(outcome.content ?? [])) : [],
    error: outcome.kind === "error" ? { ...outcome.error } : null,
    notes,
    ...(tool && { tool: { name: tool.name, version: tool.version } }),
    ...(meta && { meta }),
    ...(outcome.kind === "input_required" && {
      input_required: { requests: JSON.parse(JSON.stringify(outcome.requests)), ...(outcome.state !== undefined && { state: outcome.state }) },
    }),
  };
  return `${JSON.stringify(answer, null, 2)}\n`;
}

/** The arguments with what is wrong in them marked, where an error says what that is. */
async function markedProblems(outcome: Outcome, text: string, { columns, errPaint }: Terminal): Promise<readonly string[]> {
  // Problems of a result are where the result is, which isn't shown.
  const problems: unknown = outcome.kind === "error" && outcome.error.error_type === "input_error" ? outcome.error.details["problems"] : undefined;
  if (!Array.isArray(problems) || !problems.every(isProblem)) return [];
  // Lines of the marks end at a line feed alone.
  if (/\r(?!\n)/.test(text)) return [];
  const { placesInJson } = await import("../placesInJson.js");
  try {
    return markPlaces(text, placesInJson(text, problems), { columns, paint: errPaint, tone: "error" });
  } catch {
    // Read by a parser that tells places: what is nested past its stack has none. The problems are told all the same.
    return [];
  }
}

function isProblem(value: unknown): value is { readonly path: string; readonly keyword: string } {
  return (
    typeof value === "object" && value !== null && "path" in value && typeof value.path === "string" && "keyword" in value && typeof value.keyword === "string"
  );
}

function show(outcome: Outcome, marked: readonly string[], { out, err, errPaint }: Terminal): void {
  if (outcome.kind === "ok") {
    const { data, content = [] } = outcome;
    if (typeof data === "string") out(`${visible(data)}\n`);
    else if (data !== undefined) out(`${JSON.stringify(data, null, 2)}\n`);
    // Beside data, content is for people; alone it is what the call gave.
    for (const block of content) (data === undefined ? out : err)(`${visible(blockText(block))}\n`);
    if (data === undefined && content.length === 0) err("The call was fine; it gave no data.\n");
  } else if (outcome.kind === "error") {
    const [first = "", ...rest] = visible(renderToolError(outcome.error)).split("\n");
    err(`${[errPaint("error", first), ...rest, ...marked].join("\n")}\n${errPaint("dim", `${outcome.error.error_type} ${outcome.error.error_code}`)}\n`);
  } else {
    err(`The tool asks for more before it goes on:\n${JSON.stringify(outcome.requests, null, 2)}\nfettle call can't answer; call it from a host that can.\n`);
  }
}

function blockText(block: Content): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${Buffer.byteLength(block.data, "base64").toLocaleString("en")} bytes]`;
    case "resource_link":
      return `[${block.name} ${block.uri}]`;
    default:
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}]`;
  }
}
