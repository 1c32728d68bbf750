/** A name that came from outside, when it is short and plain enough to be repeated. */
export function plainName(name: unknown): string | undefined {
  return typeof name === "string" && /^[\w/.$-]{1,64}$/.test(name) ? name : undefined;
}
