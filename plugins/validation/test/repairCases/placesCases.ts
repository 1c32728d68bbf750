import { closed, flag, list, number, oneOf, open, type RepairCase, text, whole } from "./repairCase.js";

const user = closed({ kind: { const: "user" }, user_id: whole }, { required: ["kind", "user_id"] });
const team = closed({ kind: { const: "team" }, slug: { ...text, pattern: "^[a-z-]+$" } }, { required: ["kind", "slug"] });
const target = { oneOf: [{ $ref: "#/$defs/user" }, { $ref: "#/$defs/team" }] };
const tagged = closed({ target }, { $defs: { user, team } });

/** Values that may have several forms. */
export const unionCases: readonly RepairCase[] = [
  ["a misspelt tag", tagged, { target: { kind: "usr", user_id: 1 } }, { target: { kind: "user", user_id: 1 } }],
  ["a fault in the form that the tag names", tagged, { target: { kind: "user", user_id: "7" } }, { target: { kind: "user", user_id: 7 } }],
  ["a misspelt key in the form that the tag names", tagged, { target: { kind: "team", slgu: "core" } }, { target: { kind: "team", slug: "core" } }],
  ["a pattern in the form that the tag names", tagged, { target: { kind: "team", slug: "Core Team" } }, { target: { kind: "team", slug: "core-team" } }],
  ["a key of another form", tagged, { target: { kind: "user", user_id: 1, slug: "a" } }, { target: { kind: "user", user_id: 1 } }],
  [
    "in a list of forms",
    closed({ all: list(target) }, { $defs: { user, team } }),
    { all: [{ kind: "teem", slug: "a" }] },
    { all: [{ kind: "team", slug: "a" }] },
  ],
  ["a list or null", closed({ tags: { anyOf: [list(text), { type: "null" }] } }), { tags: [1] }, { tags: ["1"] }],
  ["a form of the only right type", closed({ v: { anyOf: [whole, open({ n: whole })] } }), { v: { n: "2" } }, { v: { n: 2 } }],
  [
    "the form by which the least is wrong",
    closed({ to: { anyOf: [closed({ email: text }, { required: ["email"] }), closed({ phone: text, ext: whole }, { required: ["phone"] })] } }),
    { to: { phone: "5", ext: "1" } },
    { to: { phone: "5", ext: 1 } },
  ],
  [
    "one of two formats",
    closed({
      at: {
        anyOf: [
          { ...text, format: "date" },
          { ...text, format: "uuid" },
        ],
      },
    }),
    { at: "2026/12/31" },
    { at: "2026-12-31" },
  ],
];

const deep = closed({ a: closed({ b: list(closed({ c: closed({ d: { ...whole, maximum: 9 }, e: oneOf("x", "yes") }) })) }) });

/** Faults deep inside. */
export const nestingCases: readonly RepairCase[] = [
  ["a number five levels deep", deep, { a: { b: [{ c: { d: 10 } }] } }, { a: { b: [{ c: { d: 9 } }] } }],
  ["a misspelt value five levels deep", deep, { a: { b: [{}, { c: { e: "yess" } }] } }, { a: { b: [{}, { c: { e: "yes" } }] } }],
  ["an unknown key in the second item", deep, { a: { b: [{}, { x: 1 }] } }, { a: { b: [{}, {}] } }],
  ["lists in lists", closed({ grid: list(list(whole)) }), { grid: [[1, "2"], ["3"]] }, { grid: [[1, 2], [3]] }],
  ["a pair", closed({ at: { type: "array", prefixItems: [number, oneOf("n", "s")] } }), { at: ["1.5", "N"] }, { at: [1.5, "n"] }],
  ["a map of lists", closed({ m: open({}, { additionalProperties: list(whole) }) }), { m: { a: ["1"], b: [2] } }, { m: { a: [1], b: [2] } }],
  ["a twin in a list of lists", closed({ g: list(list(whole, { uniqueItems: true })) }), { g: [[1], [2, 2]] }, { g: [[1], [2]] }],
  ["null in a list of objects", closed({ rows: list(closed({ n: whole, m: whole })) }), { rows: [{ n: 1, m: null }] }, { rows: [{ n: 1 }] }],
  ["a list as text inside of an object", closed({ f: closed({ ids: list(whole) }) }), { f: { ids: "[1]" } }, { f: { ids: [1] } }],
  [
    "behind a reference to itself",
    closed({ tree: { $ref: "#/$defs/n" } }, { $defs: { n: closed({ v: whole, kids: list({ $ref: "#/$defs/n" }) }) } }),
    { tree: { v: 1, kids: [{ v: "2" }] } },
    { tree: { v: 1, kids: [{ v: 2 }] } },
  ],
];

/** Keys that need quotes, or look like words of the message. */
export const keyCases: readonly RepairCase[] = [
  ["a blank", closed({ "x y": whole }), { "x y": "1" }, { "x y": 1 }],
  ["a dot", closed({ "a.b": whole, a: open({}) }), { "a.b": "1" }, { "a.b": 1 }],
  ["brackets", closed({ "a[0]": whole }), { "a[0]": "1" }, { "a[0]": 1 }],
  ["quotes and a backslash", closed({ '"\\': whole }), { '"\\': "1" }, { '"\\': 1 }],
  ["a line break", closed({ "a\n- b": whole }), { "a\n- b": "1" }, { "a\n- b": 1 }],
  ["no letters at all", closed({ "": whole }), { "": "1" }, { "": 1 }],
  ["digits", closed({ o: closed({ "0": whole }) }), { o: { "0": "1" } }, { o: { "0": 1 } }],
  ["other alphabets", closed({ größe: whole, 数: whole }), { größe: "1", 数: "2" }, { größe: 1, 数: 2 }],
  ["a comma, misspelt", closed({ "a, b and c": whole, d: whole }), { "a, b und c": 1 }, { "a, b and c": 1 }],
  ["a question mark, misspelt", closed({ "why?": text }), { "whi?": "x" }, { "why?": "x" }],
  ["a colon", closed({ "x: expected": whole }), { "x: expected": "1" }, { "x: expected": 1 }],
  ["unknown", closed({ unknown: whole }), { unknown: "1" }, { unknown: 1 }],
  ["missing", closed({ missing: { ...whole, maximum: 3 } }), { missing: 5 }, { missing: 3 }],
  ["argument", closed({ argument: oneOf("on", "off") }), { argument: "offf" }, { argument: "off" }],
  [
    "the words of a hint as a value",
    closed({ v: oneOf("Send it. Did you mean it?", "b") }),
    { v: "Send it. Did you mean it" },
    { v: "Send it. Did you mean it?" },
  ],
  ["constructor", closed({ constructor: whole, toString: flag }), { constructor: "1", toString: "true" }, { constructor: 1, toString: true }],
];

/** Several faults in one call. */
export const severalCases: readonly RepairCase[] = [
  [
    "five kinds at once",
    closed(
      {
        customer_id: text,
        priority: oneOf("low", "high"),
        items: list(closed({ quantity: whole })),
        ship_to: open({ country: oneOf("NO") }, { required: ["country"] }),
        on: { ...text, format: "date" },
      },
      { required: ["customer_id"] },
    ),
    { customer_id: "C1", note: "hi", priority: "hihg", items: [{ quantity: "2" }], ship_to: {}, on: "2026/12/31" },
    { customer_id: "C1", priority: "high", items: [{ quantity: 2 }], ship_to: { country: "NO" }, on: "2026-12-31" },
  ],
  [
    "two misspelt keys and a bound",
    closed({ branch: text, limit: { ...whole, maximum: 9 }, path: text }),
    { brnch: "a", limit: 10, pth: "b" },
    { branch: "a", limit: 9, path: "b" },
  ],
  ["a misspelt key whose value is misspelt", closed({ state: oneOf("open", "closed") }), { sate: "opne" }, { state: "open" }],
  [
    "a text and what is wrong inside of it",
    closed({ o: closed({ state: oneOf("open", "closed"), n: whole }) }),
    { o: '{"sttae":"opne","n":"1"}' },
    { o: { state: "open", n: 1 } },
  ],
  ["null, unknown and missing", closed({ a: whole, b: { const: 1 } }, { required: ["b"] }), { a: null, zzz: 1 }, { b: 1 }],
  [
    "three items, each with another fault",
    closed({ r: list(closed({ a: whole, b: oneOf("x", "yy") })) }),
    { r: [{ a: "1" }, { b: "xy" }, { zz: 1 }].map((row, i) => (i === 1 ? { b: "yyy" } : row)) },
    { r: [{ a: 1 }, { b: "yy" }, {}] },
  ],
  [
    "a bound, a pattern and a twin",
    closed({ n: { ...whole, minimum: 1 }, c: { ...text, pattern: "^[A-Z]{2}$" }, t: list(text, { uniqueItems: true }) }),
    { n: 0, c: "fr", t: ["a", "a"] },
    { n: 1, c: "FR", t: ["a"] },
  ],
  ["a list of one and a text for a list", closed({ a: text, b: list(text) }), { a: ["x"], b: "y" }, { a: "x", b: ["y"] }],
  [
    "two nested objects",
    closed({ a: closed({ x: whole }), b: closed({ y: flag }) }),
    { a: { x: "1", z: 1 }, b: { yy: true, y: "true" } },
    { a: { x: 1 }, b: { y: true } },
  ],
];
