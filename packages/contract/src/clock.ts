/** Time as an argument, so that tests can turn it. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds. The returned function cancels it: do so when it isn't needed any more, since a pending timer keeps the process alive. */
  after(ms: number, run: () => void): () => void;
}
