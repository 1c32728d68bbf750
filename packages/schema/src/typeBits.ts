/** The JSON types as bits, so that one comparison tells whether a value has one of several. */
const BITS: Readonly<Record<string, number>> = { string: 1, number: 2, integer: 4, boolean: 8, object: 16, array: 32, null: 64 };
const [STRING, NUMBER, INTEGER, BOOLEAN, OBJECT, ARRAY, NULL] = [1, 2, 4, 8, 16, 32, 64] as const;

/** All of them. */
export const ALL_TYPES = 127;

/** The bits of the types that a schema names. What is no type of JSON Schema has none. */
export function bitsOf(types: readonly string[]): number {
  return types.reduce((bits, type) => bits | (Object.hasOwn(BITS, type) ? (BITS[type] ?? 0) : 0), 0);
}

/** Whether a value has one of the types in `bits`. */
export function hasTypeIn(bits: number, value: unknown, exactIntegers: boolean): boolean {
  return (bits & typeBits(value, exactIntegers)) !== 0;
}

/** The types that a value has: an integer is a number too. With `exactIntegers`, one that a double doesn't hold exactly is only a number. */
export function typeBits(value: unknown, exactIntegers: boolean): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      if (exactIntegers ? Number.isSafeInteger(value) : Number.isInteger(value)) return NUMBER | INTEGER;
      return Number.isFinite(value) ? NUMBER : 0;
    case "boolean":
      return BOOLEAN;
    case "object":
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT;
    default:
      return 0;
  }
}
