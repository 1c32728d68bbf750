/** A type as text, and how tightly it binds: what may stand beside it without brackets. */
export interface TypeText {
  readonly text: string;
  readonly binds: "atom" | "prefix" | "intersection" | "union";
}

export const atom = (text: string): TypeText => ({ text, binds: "atom" });

export const NEVER: TypeText = atom("never");

/** One of several types, each named once. None is `never`. */
export function union(types: readonly TypeText[]): TypeText {
  const different = unique(types.filter(({ text }) => text !== NEVER.text));
  const [first] = different;
  if (first === undefined) return NEVER;
  return different.length === 1 ? first : { text: different.map(({ text, binds }) => (binds === "union" ? `(${text})` : text)).join(" | "), binds: "union" };
}

/** All of several types at once. */
export function intersection(types: readonly [TypeText, ...TypeText[]]): TypeText {
  const different = unique(types);
  if (different.some(({ text }) => text === NEVER.text)) return NEVER;
  if (different.length === 1) return types[0];
  return { text: different.map(({ text, binds }) => (binds === "atom" ? text : `(${text})`)).join(" & "), binds: "intersection" };
}

/** A list that can't be changed. */
export function list(item: TypeText): TypeText {
  return { text: `readonly ${item.binds === "atom" ? item.text : `(${item.text})`}[]`, binds: "prefix" };
}

function unique(types: readonly TypeText[]): readonly TypeText[] {
  return [...new Map(types.map((type) => [type.text, type])).values()];
}
