const duties: (() => void)[] = [];

function doAll(): void {
  // The last one first: processes are killed before what they write to is cleared away.
  for (const duty of duties.splice(0).reverse()) {
    try {
      duty();
    } catch {
      // The others still have to be done.
    }
  }
}

/**
 * Has something done when the server's process ends before the call that asked for it does. Only synchronous work has an effect then.
 *
 * @returns takes the duty back; the process has one listener while there are duties, and none when there are none
 */
export function atExit(duty: () => void): () => void {
  if (duties.length === 0) process.on("exit", doAll);
  duties.push(duty);
  return () => {
    const at = duties.indexOf(duty);
    if (at >= 0) duties.splice(at, 1);
    if (duties.length === 0) process.off("exit", doAll);
  };
}
