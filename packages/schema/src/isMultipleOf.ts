/**
 * Whether a number is a multiple of another, as their decimal digits say it: 0.07 is one of 0.01, though in binary it isn't.
 */
export function isMultipleOf(value: number, step: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const a = decimal(value);
  const b = decimal(step);
  const shift = Math.max(a.scale, b.scale);
  return (a.digits * 10n ** BigInt(shift - a.scale)) % (b.digits * 10n ** BigInt(shift - b.scale)) === 0n;
}

/** A finite number as digits * 10^-scale, exactly as it is printed. */
function decimal(value: number): { readonly digits: bigint; readonly scale: number } {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}
