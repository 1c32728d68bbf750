/** Longest wait that is passed on, in seconds: a day. What is longer is of no use to a model that waits. */
const LONGEST = 86_400;

/**
 * The seconds that a `Retry-After` header asks to wait: a number of seconds, or a date (RFC 9110, 10.2.3). A date is compared with the answer's own
 * `Date` header where there is one, since the clocks of two machines differ.
 *
 * @param now milliseconds since 1970, for a date without a `Date` header beside it
 * @returns whole seconds, 0 to 86,400; undefined where there is no header, or none that can be read
 */
export function retryAfter(header: (name: string) => string | null | undefined, now: number): number | undefined {
  const value = header("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), LONGEST);
  // Only dates hold a letter: "-5" and "1.5" are neither form.
  const until = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(header("date") ?? "");
  return Math.min(Math.max(Math.ceil((until - (Number.isNaN(sent) ? now : sent)) / 1000), 0), LONGEST);
}
