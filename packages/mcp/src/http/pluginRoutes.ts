import type { Route } from "@fettle/contract";

/**
 * The route of a plugin for a request: an exact path before a prefix, a longer prefix before a shorter one.
 *
 * @returns the route, or the methods that are allowed at that path, or undefined where no plugin has the path
 */
export function pluginRoute(routes: readonly Route[], method: string, path: string): Route | { readonly allow: string } | undefined {
  const fitting = routes.filter((route) => fits(route.path, path)).sort((a, b) => rank(b.path) - rank(a.path));
  const [best] = fitting;
  if (best === undefined) return undefined;
  return fitting.find((route) => route.method === method) ?? { allow: [...new Set(fitting.map((route) => route.method))].join(", ") };
}

function fits(pattern: string, path: string): boolean {
  return pattern.endsWith("/*") ? path.startsWith(pattern.slice(0, -1)) || path === pattern.slice(0, -2) : path === pattern;
}

function rank(pattern: string): number {
  return pattern.endsWith("/*") ? pattern.length : Number.POSITIVE_INFINITY;
}
