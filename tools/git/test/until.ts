/** Waits until something holds, and fails where it doesn't within `ms` milliseconds. */
export async function until(holds: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not so within ${ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
