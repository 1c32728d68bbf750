/** Whether a value must be awaited. The chain is synchronous-first: an await costs a microtask even where nothing waits. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
