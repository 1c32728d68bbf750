import { createRequire } from "node:module";
import { UriTemplate } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { LONGEST_URI } from "./longestUri.js";

const require = createRequire(import.meta.url);

/** What a URI gives for the variables of a template; undefined where it doesn't fit. */
type Matcher = (uri: string) => Readonly<Record<string, string>> | undefined;

/** By the text of a template: plugins may give theirs anew for each list. */
const compiled = new LRUCache<string, Matcher>({ max: 1_000 });

/**
 * Matches a URI with a template of RFC 6570, in time that grows with their lengths: URIs come from clients, and the SDK's own matching
 * backtracks, which a URI of some thousand characters makes last for seconds.
 *
 * @throws Error when the template can't be read
 */
export function matchTemplate(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  if (uri.length > LONGEST_URI) return undefined;
  let matcher = compiled.get(template);
  if (matcher === undefined) {
    matcher = compile(new UriTemplate(template));
    compiled.set(template, matcher);
  }
  return matcher(uri);
}

/** The SDK's own expressions, run by an engine that doesn't backtrack. */
function compile(template: UriTemplate): Matcher {
  const variables: { readonly name: string; readonly reserved: boolean }[] = [];
  const parts: readonly unknown[] = template["parts"];
  const expression = parts.map((part): string => {
    if (typeof part === "string") return template["escapeRegExp"](part);
    const patterns: readonly { readonly pattern: string; readonly name: string }[] = template["partToRegExp"](part);
    const reserved = RESERVED.has((part as { readonly operator?: unknown }).operator);
    for (const { name } of patterns) variables.push({ name, reserved });
    return patterns.map(({ pattern }) => pattern).join("");
  });
  // Loaded for the first template: most servers have none.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  const engine = RE2JS.compile(expression.join(""));
  return (uri) => {
    const match = engine.matcher(uri);
    if (!match.matches()) return undefined;
    return Object.fromEntries(
      variables.map(({ name, reserved }, index) => {
        const value = match.group(index + 1) ?? "";
        return [name, reserved ? value : decoded(value)];
      }),
    );
  };
}

/** Expansions that leave reserved characters as they are (RFC 6570, 3.2.3 and 3.2.4): what is encoded in their values was encoded before. */
const RESERVED: ReadonlySet<unknown> = new Set(["+", "#"]);

/** A value without its percent-encoding; as it is where that is broken. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
