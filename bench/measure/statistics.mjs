/** The middle of a list of numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What several rounds gave, in short. */
export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds: values.length };
}
