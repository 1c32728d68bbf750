const NUMBER = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/;

/**
 * The number or boolean that a text is, written as JSON writes it. Undefined for anything else: `0x10`, `0123`, `1e3`, ` 5` and `True`
 * may mean something else, and a number whose digits don't all survive would be another number.
 */
export function readScalar(text: string): number | boolean | undefined {
  if (text === "true") return true;
  if (text === "false") return false;
  if (!NUMBER.test(text) || text === "-0") return undefined;
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value;
}

/** The number that somebody probably meant by a text that isn't written as JSON writes numbers: `+5`, `.5`, `1e3`. None where zeros in front say that it's a name. */
export function readLooseNumber(text: string): number | undefined {
  if (!/^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})(e[+-]?\d{1,2})?$/i.test(text) || /^[+-]?0\d/.test(text)) return undefined;
  const value = Number(text);
  return Object.is(value, -0) || (Number.isInteger(value) && !Number.isSafeInteger(value)) ? undefined : value;
}
