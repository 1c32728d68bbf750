// Prints docs/error-codes.md from the tables of codes. `npm run generate` runs it on the sources, so that no build is needed:
//   node --conditions=source --import=tsx scripts/errorCodes.mjs
import { allCodes } from "../packages/fettle/src/codes.ts";

const codes = [...(await allCodes())].sort(([a], [b]) => (a < b ? -1 : 1));
const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const lines = [
  "# Codes",
  "",
  "Generated from the tables in the sources by `npm run generate`. `fettle check --explain CODE` prints one of them. What the types mean, and how errors",
  "are written, is in [errors.md](errors.md). Tools have codes of their own, listed in the `common_errors` of their specs.",
  "",
  "## Errors that a call can end in",
  "",
  row("code", "type", "means", "what to do"),
  row("---", "---", "---", "---"),
  ...codes.filter(([, { type }]) => type !== undefined).map(([code, { type, message, hint }]) => row(`\`${code}\``, type, message, hint)),
  "",
  "## Findings at load",
  "",
  row("code", "means", "what to do"),
  row("---", "---", "---"),
  ...codes.filter(([, { type }]) => type === undefined).map(([code, { message, hint }]) => row(`\`${code}\``, message, hint)),
];
process.stdout.write(`${lines.join("\n")}\n`);
