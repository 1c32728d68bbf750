/** How many are under way at once: enough for the disk to have something to do while the last file is parsed. */
const MANY = 16;

/**
 * Works on some items ahead of the one that is looked at, and gives them in order, each with what the work gave.
 *
 * @param work - never rejects
 */
export async function* ahead<T, R>(items: readonly T[], work: (item: T) => Promise<R>): AsyncGenerator<readonly [T, R]> {
  const started: Promise<R>[] = [];
  let next = 0;
  for (const item of items) {
    for (; next < items.length && started.length < MANY; next++) started.push(work(items[next] as T));
    yield [item, await (started.shift() as Promise<R>)];
  }
}
