import type { ThrownToolError } from "../toolError.js";
import { type FailedWork, failedWork, said } from "./failedWork.js";
import { httpCodes, httpKey } from "./httpCodes.js";
import { retryAfter } from "./retryAfter.js";

/** What is read of an HTTP answer: a fetch `Response` fits, and so does `{ status, headers: { "retry-after": "5" } }`. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers?: object;
}

/**
 * The tool error for an HTTP answer that isn't a success: 401 and 403 are permission_errors, 404 and 410 resource_errors, 409 and 412 state_errors, 429
 * a rate_limit_error, 5xx external_errors, and so on. A `Retry-After` header of either form becomes `retry_after_seconds`. The body is not read: it is
 * the service's, and may hold anything.
 *
 * @param now milliseconds since 1970, for a `Retry-After` date without a `Date` header beside it. Default: the time
 * @returns the error to throw, with a code of `http/*`; undefined for 200 to 299
 * @example
 * const response = await fetch(url, { signal: ctx.signal });
 * const failed = toolErrorFromResponse(response, { doing: `load issue ${args.id}` });
 * if (failed) throw failed;
 */
export function toolErrorFromResponse(response: ResponseFacts, work: FailedWork = {}, now: number = Date.now()): ThrownToolError | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const wait = retryAfter(headerOf(response.headers), now);
  const about: FailedWork = {
    ...((status === 501 || status === 505) && UNKNOWN_REQUEST),
    ...(wait !== undefined && WAITS.has(status) && { retryAfterSeconds: wait }),
    ...said(work),
  };
  return failedWork(httpCodes, httpKey(status), about, { status });
}

/** A service that doesn't know a request refuses it again. */
const UNKNOWN_REQUEST: FailedWork = {
  why: "The service can't do what it was asked.",
  fix: "Tell the person who runs the server; the same call fails again.",
  retry: false,
};

/** Where `Retry-After` says when the same request may succeed. Behind a redirect it means something else. */
const WAITS: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Reads headers of fetch, and plain objects whose names may be in any case. */
function headerOf(headers: object | null = {}): (name: string) => string | undefined {
  if (headers === null) return () => undefined;
  if ("get" in headers && typeof headers.get === "function") {
    const { get } = headers;
    return (name) => toText(get.call(headers, name));
  }
  const entries = Object.entries(headers);
  return (name) => toText(entries.find(([key]) => key.toLowerCase() === name)?.[1]);
}

function toText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" || typeof first === "number" ? String(first) : undefined;
}
