import { nearestWord } from "@fettle/schema";
import prerelease from "semver/functions/prerelease.js";
import rcompare from "semver/functions/rcompare.js";
import maxSatisfying from "semver/ranges/max-satisfying.js";
import { catalogCodes } from "../catalogCodes.js";
import type { CatalogFinding, CatalogTool } from "./catalogTool.js";

/** T-REF-3: the successor of a deprecated tool is there, and following successors doesn't come back. */
export function* successors(tools: readonly CatalogTool[], known: ReadonlySet<string>): Iterable<CatalogFinding> {
  for (const tool of tools) {
    const successor = tool.spec.deprecation?.successor;
    if (successor === undefined) continue;
    const finding = { file: tool.file, severity: "error", path: ["deprecation", "successor"], rule: "T-REF-3" } as const;
    const { name } = split(successor);
    const versions = tools.filter((other) => other.name === name).map(({ version }) => version);
    if (!known.has(name)) {
      const near = nearestWord(name, known);
      yield {
        ...finding,
        code: catalogCodes.code("unknown-successor"),
        message: `There is no tool ${name} to succeed this one`,
        hint: near ? `Did you mean ${near}?` : "Name a tool of this catalog, or leave successor out.",
      };
    } else if (versions.length > 0 && !successorOf(tool, tools)) {
      yield {
        ...finding,
        code: catalogCodes.code("unknown-successor"),
        message: `There is a tool ${name}, but no version of it that fits ${successor}`,
        hint: `Versions there are: ${[...versions].sort(rcompare).join(", ")}.`,
      };
    } else {
      const circle = circleFrom(tool, tools);
      if (!circle) continue;
      yield {
        ...finding,
        code: catalogCodes.code("circular-successor"),
        message: `The successors go in a circle: ${circle.join(" -> ")}`,
        hint: "Let the newest tool have no successor.",
      };
    }
  }
}

/** `git_log@2.0.0` names a version or range, `git_log` the highest stable version. */
function split(successor: string): { readonly name: string; readonly range: string | undefined } {
  const at = successor.indexOf("@");
  return at < 0 ? { name: successor, range: undefined } : { name: successor.slice(0, at), range: successor.slice(at + 1) };
}

function successorOf(tool: CatalogTool, tools: readonly CatalogTool[]): CatalogTool | undefined {
  const { name, range } = split(tool.spec.deprecation?.successor ?? "");
  const named = tools.filter((other) => other.name === name);
  const exact = named.find(({ version }) => version === range);
  if (exact) return exact;
  const stable = named.filter(({ version }) => !prerelease(version)).map(({ version }) => version);
  const version = maxSatisfying(stable, range ?? "*");
  return named.find((other) => other.version === version);
}

/** The way from a tool back to itself. A circle further on is reported where it is. */
function circleFrom(start: CatalogTool, tools: readonly CatalogTool[]): readonly string[] | undefined {
  const way = [`${start.name}@${start.version}`];
  const seen = new Set<CatalogTool>();
  for (let tool = successorOf(start, tools); tool && !seen.has(tool); tool = successorOf(tool, tools)) {
    seen.add(tool);
    way.push(`${tool.name}@${tool.version}`);
    if (tool === start) return way;
  }
  return undefined;
}
