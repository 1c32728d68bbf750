import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isNode, isScalar, isSeq, parse, parseDocument, stringify } from "yaml";

/**
 * The text of a config with one more plugin, after the others. Comments and layout stay; only where the list is written in brackets, or empty, the file
 * is written anew by the YAML library, which keeps comments but not every blank.
 *
 * @param use what the plugin is named by
 * @returns undefined where that can't be done: the list holds something else than the file shows, by an alias for example
 */
export function addPlugin(text: string, use: string): string | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const list = document.get("plugins", true);
  const changed = !document.has("plugins")
    ? atTheEnd(text, document, use)
    : isSeq(list) && list.flow !== true
      ? intoBlock(text, list.range?.[0], list.items.at(-1), use)
      : isScalar(list) && list.source === ""
        ? afterLine(text, list.range?.[0] ?? 0, `  - use: ${scalar(use)}`)
        : anew(document, use);
  return changed !== undefined && isDeepStrictEqual(data(changed), withPlugin(data(text), use)) ? changed : undefined;
}

/** After the last item of a list in lines, with the indentation of the first. */
function intoBlock(text: string, start: number | undefined, last: unknown, use: string): string | undefined {
  const end = isNode(last) ? last.range?.[1] : undefined;
  if (start === undefined || end === undefined) return undefined;
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return afterLine(text, text.slice(0, end).trimEnd().length, `${indent}- use: ${scalar(use)}`);
}

/** A line after that in which something stands. */
function afterLine(text: string, offset: number, line: string): string {
  const end = offset + (/\r?\n|$/.exec(text.slice(offset))?.index ?? 0);
  return `${text.slice(0, end)}${newline(text)}${line}${text.slice(end)}`;
}

function anew(document: Document, use: string): string {
  const list = document.get("plugins", true);
  if (isSeq(list)) list.add(document.createNode({ use }));
  else document.set("plugins", [{ use }]);
  return document.toString({ lineWidth: 0 });
}

function atTheEnd(text: string, document: Document, use: string): string | undefined {
  if (document.contents !== null && !(isMap(document.contents) && document.contents.flow !== true)) return anew(document, use);
  const end = newline(text);
  return `${text}${text === "" || text.endsWith("\n") ? "" : end}plugins:${end}  - use: ${scalar(use)}${end}`;
}

function newline(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

function data(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text) ?? {};
  } catch {
    return {};
  }
}

function withPlugin(config: Readonly<Record<string, unknown>>, use: string): Readonly<Record<string, unknown>> {
  const { plugins } = config;
  return { ...config, plugins: [...(Array.isArray(plugins) ? plugins : []), { use }] };
}
