import type { Json, JsonPath, JsonSchema } from "@fettle/contract";
import { portabilityFindings } from "@fettle/quality";
import { type CheckOptions, type CompiledSchema, createSchemaEngine, formatPath, type Problem, renderProblems, type SchemaEngine } from "@fettle/schema";
import { readYamlValue, type YamlReader } from "./readYamlValue.js";

/** How `fettle validate` works. */
export interface ValidateOptions {
  /** Add the ids of the portability rules that the schema breaks. */
  readonly lint: boolean;
  /** Mend what is certain, fill in defaults, enforce formats. Without it: plain JSON Schema. */
  readonly coerce: boolean;
  /** Reads YAML texts; default the reader of specs. */
  readonly readYaml?: YamlReader;
}

/** An NDJSON line may hold a schema of 1 MiB and arguments of 1 MiB, escaped. */
const LONGEST_LINE = 8 * 1024 * 1024;

const PLAIN: CheckOptions = { repair: false, defaults: false, formats: false, exactIntegers: false };

interface Line {
  readonly id: Json | undefined;
  readonly schema: JsonSchema;
  readonly args: unknown;
  readonly argsJson: string | undefined;
  readonly yaml: string | undefined;
}

/**
 * Answers each NDJSON line `{"id","schema","args"}`, with `args_json` or `yaml` in place of `args`, by a line
 * `{"id","valid","args","repairs","problems","text","lint"}`, or `{"id","load_error":{"path","message"}}` where the schema is refused.
 * A line that can't be read is answered by a problem; nothing ends the run.
 *
 * @param input chunks of text or UTF-8
 * @param output takes each answer, without its line break
 */
export async function validate(input: AsyncIterable<string | Uint8Array>, output: (line: string) => void, options: ValidateOptions): Promise<void> {
  const engine = createSchemaEngine();
  for await (const line of splitLines(input)) {
    if (line === undefined) output(JSON.stringify(unreadable(null, `the line is longer than ${LONGEST_LINE / 1024 / 1024} MiB`)));
    else if (line.trim() !== "") output(answer(line, engine, options));
  }
}

function answer(text: string, engine: SchemaEngine, options: ValidateOptions): string {
  const line = readLine(text);
  if (typeof line === "string") return JSON.stringify(unreadable(null, line));
  try {
    return JSON.stringify({ id: line.id ?? null, ...judge(line, engine, options) });
  } catch (error) {
    // A fault of ours must not cost the other lines their answers.
    return JSON.stringify(unreadable(line.id ?? null, `the line can't be answered: ${error instanceof Error ? error.message : String(error)}`));
  }
}

function judge(line: Line, engine: SchemaEngine, options: ValidateOptions): object {
  const refused = engine.admit(line.schema).find((finding) => finding.severity === "error");
  if (refused !== undefined)
    return { load_error: { path: toPointer(refused.path), message: `${refused.message}${refused.hint === undefined ? "" : `. ${refused.hint}`}` } };
  const lint = options.lint ? [...new Set(portabilityFindings(line.schema).map((finding) => finding.rule ?? finding.code))] : [];
  const read = readArguments(line, options.readYaml ?? readYamlValue);
  if ("problem" in read) return { valid: false, args: null, repairs: [], ...told([read.problem]), lint };
  // YAML is a file that somebody can mend: `phone: 0185` has lost its zero, and quotes bring it back where a repair can't.
  const check = !options.coerce ? PLAIN : line.yaml === undefined ? {} : { repair: false };
  return { ...checked(engine.compile(line.schema), read.value, check), lint: [...lint, ...(options.lint ? read.lint : [])] };
}

function checked(schema: CompiledSchema, value: unknown, check: CheckOptions): object {
  const result = schema.check(value, check);
  if (result.valid) return { valid: true, args: result.value, repairs: result.repairs, problems: [], text: "" };
  return { valid: false, args: result.value, repairs: [], ...told(result.problems) };
}

function told(problems: readonly Pick<Problem, "place" | "keyword" | "message">[]): object {
  return {
    problems: problems.map(({ place, keyword, message }) => ({ path: place, keyword, message })),
    text: renderProblems(problems),
  };
}

type Read = { readonly value: unknown; readonly lint: readonly string[] } | { readonly problem: Pick<Problem, "place" | "keyword" | "message"> };

function readArguments(line: Line, readYaml: YamlReader): Read {
  if (line.yaml !== undefined) {
    const read = readYaml(line.yaml);
    return "message" in read
      ? { problem: { place: formatPath(read.path), keyword: "yaml", message: read.message } }
      : { value: read.value, lint: read.lint ?? [] };
  }
  if (line.argsJson === undefined) return { value: line.args === undefined ? {} : line.args, lint: [] };
  try {
    return { value: JSON.parse(line.argsJson), lint: [] };
  } catch (error) {
    return {
      problem: { place: "", keyword: "json", message: `the arguments are not valid JSON: ${error instanceof Error ? error.message : "they can't be read"}` },
    };
  }
}

function unreadable(id: Json, message: string): object {
  return { id, valid: false, args: null, repairs: [], ...told([{ place: "", keyword: "line", message }]), lint: [] };
}

/** One line as it was meant, or what is wrong with it. */
function readLine(text: string): Line | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "the line is not valid JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "the line is no JSON object";
  const member = (key: string): unknown => (Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined);
  const schema = member("schema") ?? true;
  const argsJson = member("args_json");
  const yaml = member("yaml");
  if (typeof schema !== "boolean" && !isSchema(schema)) return "schema must be an object, true or false";
  return {
    id: toId(member("id")),
    schema,
    args: member("args"),
    argsJson: typeof argsJson === "string" ? argsJson : undefined,
    yaml: typeof yaml === "string" ? yaml : undefined,
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toId(value: unknown): Json | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function toPointer(path: JsonPath): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The lines of a stream; undefined for one that is too long. The last needs no line break. */
async function* splitLines(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  let skipping = false;
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      parts.push(text.slice(from, end));
      yield skipping ? undefined : parts.join("");
      parts = [];
      length = 0;
      skipping = false;
      from = end + 1;
    }
    const rest = text.slice(from);
    length += rest.length;
    if (length > LONGEST_LINE) {
      skipping = true;
      parts = [];
    } else if (rest !== "") parts.push(rest);
  }
  if (skipping) yield undefined;
  else if (parts.length > 0) yield parts.join("");
}
