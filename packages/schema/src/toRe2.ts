/** Thrown with the reason why a pattern has no linear-time translation. */
export class Untranslatable extends Error {}

// ECMA-262: WhiteSpace and LineTerminator. RE2's own \s lacks most of them.
const SPACE = "\\t\\n\\x{b}\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NOT_SPACE =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

/** Long names of Unicode general categories, which RE2 knows by the short one only. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: "L",
  Uppercase_Letter: "Lu",
  Lowercase_Letter: "Ll",
  Titlecase_Letter: "Lt",
  Modifier_Letter: "Lm",
  Other_Letter: "Lo",
  Mark: "M",
  Nonspacing_Mark: "Mn",
  Number: "N",
  Decimal_Number: "Nd",
  Letter_Number: "Nl",
  Other_Number: "No",
  Punctuation: "P",
  Symbol: "S",
  Math_Symbol: "Sm",
  Currency_Symbol: "Sc",
  Separator: "Z",
  Space_Separator: "Zs",
  Control: "Cc",
  Other: "C",
};
const SHORT_CATEGORY = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfos]?)$/;

/**
 * Writes a pattern of ECMA-262 (flag `u`) in RE2's syntax, with the same meaning.
 *
 * @throws Untranslatable where RE2 has nothing of the kind
 */
export function toRe2(pattern: string): string {
  let out = "";
  let at = 0;
  let inClass = false;
  while (at < pattern.length) {
    const rest = pattern.slice(at, at + 64);
    const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (char === "\\") {
      const [text, length] = escapeOf(pattern.slice(at, at + 80), inClass);
      out += text;
      at += length;
    } else if (inClass) {
      if (char === "]") inClass = false;
      // RE2 reads [: as the beginning of a named class, and && is kept free of meaning.
      out += char === "[" || char === "&" || char === "~" ? `\\${char}` : char;
      at += char.length;
    } else if (char === "[") {
      if (rest.startsWith("[^]")) {
        out += "[\\x{0}-\\x{10ffff}]";
        at += 3;
      } else if (rest.startsWith("[]")) {
        out += "[^\\x{0}-\\x{10ffff}]";
        at += 2;
      } else {
        inClass = true;
        out += rest.startsWith("[^") ? "[^" : "[";
        at += rest.startsWith("[^") ? 2 : 1;
      }
    } else if (char === "(") {
      if (/^\(\?<?[=!]/.test(rest)) throw new Untranslatable("this look-ahead or look-behind can't be matched in linear time");
      const head = /^\((?:\?:|\?<[\w$]+>)?/.exec(rest)?.[0] ?? "(";
      // Captures cost time and are never read.
      out += "(?:";
      at += head.length;
    } else {
      out += char === "." ? "[^\\n\\r\\x{2028}\\x{2029}]" : char;
      at += char.length;
    }
  }
  return out;
}

function escapeOf(text: string, inClass: boolean): readonly [string, number] {
  const kind = text[1] ?? "";
  if (/[1-9k]/.test(kind)) throw new Untranslatable("back-references can't be matched in linear time");
  switch (kind) {
    case "s":
      return [inClass ? SPACE : `[${SPACE}]`, 2];
    case "S":
      return [inClass ? NOT_SPACE : `[${NOT_SPACE}]`, 2];
    case "b":
      return [inClass ? "\\x{8}" : "\\b", 2];
    case "v":
      return ["\\x{b}", 2];
    case "0":
      return ["\\x{0}", 2];
    case "c":
      return [`\\x{${((text.codePointAt(2) ?? 0) % 32).toString(16)}}`, 3];
    case "x":
      return [`\\x{${text.slice(2, 4)}}`, 4];
    case "u":
      return unicodeEscape(text);
    case "p":
    case "P":
      return propertyEscape(text);
    case "/":
    case "-":
      return [kind === "-" && inClass ? "\\-" : `\\x{${kind.charCodeAt(0).toString(16)}}`, 2];
    default:
      return [`\\${kind}`, 2];
  }
}

function unicodeEscape(text: string): readonly [string, number] {
  const braced = /^\\u\{([0-9a-fA-F]+)\}/.exec(text);
  if (braced !== null) return [`\\x{${braced[1]}}`, braced[0].length];
  const pair = /^\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i.exec(text);
  if (pair !== null) {
    const code = String.fromCharCode(Number.parseInt(pair[1] ?? "", 16), Number.parseInt(pair[2] ?? "", 16)).codePointAt(0) ?? 0;
    return [`\\x{${code.toString(16)}}`, 12];
  }
  const hex = text.slice(2, 6);
  if (/^d[89a-f]/i.test(hex)) throw new Untranslatable("half a surrogate pair can't be matched in linear time");
  return [`\\x{${hex}}`, 6];
}

function propertyEscape(text: string): readonly [string, number] {
  const property = /^\\([pP])\{([^}]*)\}/.exec(text);
  if (property === null) return [text.slice(0, 2), 2];
  const [whole, sign, name = ""] = property;
  const script = /^(?:Script|sc)=(\w+)$/.exec(name)?.[1];
  const category = /^(?:General_Category|gc)=(\w+)$/.exec(name)?.[1] ?? name;
  const short = SHORT_CATEGORY.test(category) ? category : CATEGORIES[category];
  const known = script ?? short;
  if (known === undefined) throw new Untranslatable(`\\p{${name}} isn't known to the linear-time engine; general categories and Script= are`);
  return [`\\${sign}{${known}}`, whole.length];
}
