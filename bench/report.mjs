/**
 * A row's ratio, or its figure where there is nothing to compare it with, and whether that reaches its target.
 *
 * @param {import("./scenarios/scenarios.mjs").Row} row
 */
export function rowOf({ title, figure, against, againstFigure = figure, atMost, atLeast }, figures) {
  const own = figures.fettle[figure].median;
  const other = against === undefined ? undefined : figures[against][againstFigure].median;
  const ratio = against === undefined ? undefined : own / other;
  const measured = ratio ?? own;
  const met = atMost === undefined && atLeast === undefined ? undefined : measured <= (atMost ?? Infinity) && measured >= (atLeast ?? 0);
  return { title, against, fettle: own, other, ratio, at_most: atMost, at_least: atLeast, met };
}

const short = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** All rows as a Markdown table. */
export function tableOf(scenarios) {
  const rows = scenarios.flatMap(({ name, rows }) =>
    rows.map(({ title, against, fettle, other, ratio, at_most, at_least, met }) => [
      `${name}: ${title}`,
      short(fettle),
      against === undefined ? "" : `${short(other)} (${against})`,
      ratio === undefined ? "" : ratio.toFixed(2),
      at_most === undefined ? (at_least === undefined ? "" : `>= ${at_least}`) : `<= ${at_most}`,
      met === undefined ? "" : met ? "met" : "MISSED",
    ]),
  );
  const table = [["scenario", "Fettle", "against", "ratio", "target", ""], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const lines = table.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`);
  return [lines[0], `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines.slice(1)].join("\n");
}
