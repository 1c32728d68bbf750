/** Edit distance with swaps of neighbours, over two rows and the one before (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}

const MAX_LENGTH = 80;

/**
 * The names that are most like `wanted`, best first: equal but for case, with the same last part, holding it, or at an edit distance of up to a third.
 *
 * @param most how many. Default 5.
 */
export function nearestNames(wanted: string, names: readonly string[], most = 5): string[] {
  const want = wanted.toLowerCase().slice(-MAX_LENGTH);
  const wantBase = want.slice(want.lastIndexOf("/") + 1);
  const ranked: { name: string; rank: number }[] = [];
  for (const name of names) {
    const have = name.toLowerCase().slice(-MAX_LENGTH);
    const haveBase = have.slice(have.lastIndexOf("/") + 1);
    const longest = Math.max(want.length, have.length);
    // Lengths bound the distance from below, which spares most of the work.
    const whole = Math.abs(want.length - have.length) * 3 > longest ? 1 : distance(want, have) / longest;
    let rank = whole;
    if (wantBase !== "" && haveBase === wantBase) rank = Math.min(rank, 0.05);
    else if (wantBase.length > 2 && Math.abs(wantBase.length - haveBase.length) * 3 <= wantBase.length) {
      rank = Math.min(rank, distance(wantBase, haveBase) / Math.max(wantBase.length, haveBase.length));
    }
    if (wantBase.length > 2 && have.includes(wantBase)) rank = Math.min(rank, 0.25);
    if (rank <= 1 / 3) ranked.push({ name, rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, most).map((entry) => entry.name);
}
