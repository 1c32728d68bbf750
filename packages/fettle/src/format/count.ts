/** `count(1, "error")` gives "1 error", `count(2, "error")` gives "2 errors". */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}
