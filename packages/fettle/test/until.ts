/** Waits until something is so, and fails when it isn't within `ms` milliseconds. */
export async function until(isSo: () => boolean | Promise<boolean>, what: () => string, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
