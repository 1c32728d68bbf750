import { closed, flag, list, number, oneOf, open, type RepairCase, text, whole } from "./repairCase.js";

/** Missing ones. */
export const missingCases: readonly RepairCase[] = [
  ["a default of text", closed({ q: text, zone: { ...text, default: "UTC" } }, { required: ["q", "zone"] }), { q: "a" }, { q: "a", zone: "UTC" }],
  ["a default of 0", closed({ q: text, offset: { ...whole, minimum: 0, default: 0 } }, { required: ["offset"] }), { q: "a" }, { q: "a", offset: 0 }],
  ["a default of false", closed({ q: text, force: { ...flag, default: false } }, { required: ["force"] }), { q: "a" }, { q: "a", force: false }],
  ["a default of null", closed({ q: text, after: { type: ["string", "null"], default: null } }, { required: ["after"] }), { q: "a" }, { q: "a", after: null }],
  ["a default among values", closed({ sort: { enum: ["new", "old"], default: "new" } }, { required: ["sort"] }), {}, { sort: "new" }],
  ["a default that is a list", closed({ kinds: { ...list(text), default: ["a", "b"] } }, { required: ["kinds"] }), {}, { kinds: ["a", "b"] }],
  [
    "a default that looks like a sentence",
    closed({ note: { ...text, default: "None. You sent none" } }, { required: ["note"] }),
    {},
    { note: "None. You sent none" },
  ],
  ["the only value of an enum", closed({ q: text, kind: oneOf("user") }, { required: ["q", "kind"] }), { q: "a" }, { q: "a", kind: "user" }],
  ["a constant number", closed({ q: text, version: { const: 2 } }, { required: ["version"] }), { q: "a" }, { q: "a", version: 2 }],
  ["a constant true", closed({ terms: { const: true } }, { required: ["terms"] }), {}, { terms: true }],
  ["an object in which everything is fixed", closed({ api: closed({ v: { const: 1 } }, { required: ["v"] }) }, { required: ["api"] }), {}, { api: { v: 1 } }],
  [
    "two at once, one of them nested",
    closed({ a: { const: "x" }, b: closed({ c: { ...text, default: "d" } }, { required: ["c"] }) }, { required: ["a", "b"] }),
    { b: {} },
    { a: "x", b: { c: "d" } },
  ],
  [
    "in an item of a list",
    closed({ items: list(closed({ sku: text, unit: { const: "piece" } }, { required: ["sku", "unit"] })) }),
    { items: [{ sku: "A", unit: "piece" }, { sku: "B" }] },
    {
      items: [
        { sku: "A", unit: "piece" },
        { sku: "B", unit: "piece" },
      ],
    },
  ],
  ["behind a reference", closed({ at: { $ref: "#/$defs/zone" } }, { required: ["at"], $defs: { zone: { ...text, default: "UTC" } } }), {}, { at: "UTC" }],
  ["a stray key in an open object", open({ country_code: text }, { required: ["country_code"] }), { contry_code: "FR" }, { country_code: "FR" }],
  ["a stray key in another convention", open({ user_id: text, n: whole }, { required: ["user_id"] }), { userId: "u1", n: 1 }, { user_id: "u1", n: 1 }],
  [
    "a tag of a union with one form",
    closed({ to: { anyOf: [closed({ kind: { const: "a" }, n: whole }, { required: ["kind"] })] } }),
    { to: { n: 1 } },
    { to: { kind: "a", n: 1 } },
  ],
];

/** Unknown ones. */
export const unknownCases: readonly RepairCase[] = [
  ["a letter too few", closed({ branch: text, limit: whole }), { brnch: "main" }, { branch: "main" }],
  ["letters that changed places", closed({ retries: whole }), { retires: 3 }, { retries: 3 }],
  ["camel case for snake case", closed({ resource_type: text }), { resourceType: "vm" }, { resource_type: "vm" }],
  ["kebab case for camel case", closed({ maxResults: whole }), { "max-results": 5 }, { maxResults: 5 }],
  ["plural for singular", closed({ label: text, path: text }), { labels: "bug" }, { label: "bug" }],
  ["one that is nothing like the others", closed({ query: text }), { query: "a", explanation: "because" }, { query: "a" }],
  ["one beside an argument of nearly its name", closed({ user_id: text }), { user_id: "a", user_idd: "b" }, { user_id: "a" }],
  ["a tool without arguments", closed({}), { dummy: "x" }, {}],
  ["in a nested object", closed({ filter: closed({ author: text }) }), { filter: { auther: "ada" } }, { filter: { author: "ada" } }],
  [
    "in two items of a list",
    closed({ rows: list(closed({ name: text, size: whole })) }),
    { rows: [{ nmae: "a" }, { name: "b", sise: 2 }] },
    { rows: [{ name: "a" }, { name: "b", size: 2 }] },
  ],
  ["four, two of them misspelt", closed({ title: text, body: text }), { titel: "a", bodi: "b", x: 1, y: 2 }, { title: "a", body: "b" }],
  ["twelve that mean nothing", closed({ q: text }), { q: "a", ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`zz${i}`, i])) }, { q: "a" }],
  [
    "a misspelt one after many that mean nothing",
    closed({ country: text }),
    { ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`zz${i}`, i])), contry: "FR" },
    { country: "FR" },
  ],
  [
    "one outside of the patterns of a map",
    closed({ env: closed({}, { patternProperties: { "^[A-Z_]+$": text } }) }),
    { env: { "PATH-X": "a" } },
    { env: { PATH_X: "a" } },
  ],
  ["beside keys that a pattern allows", closed({ a: whole }, { patternProperties: { "^x-": whole } }), { a: 1, "x-b": 2, note: 3 }, { a: 1, "x-b": 2 }],
  ["where nothing is described", { allOf: [open({ name: text })], unevaluatedProperties: false, type: "object" }, { name: "a", other: 1 }, { name: "a" }],
  ["misspelt where all is described elsewhere", { type: "object", allOf: [open({ name: text })], unevaluatedProperties: false }, { nmae: "a" }, { name: "a" }],
  ["a member that is forbidden", closed({ a: whole, b: false }), { a: 1, b: 2 }, { a: 1 }],
  ["misspelt, and its value is of the wrong type", closed({ limit: whole }), { limt: "5" }, { limit: 5 }],
  ["misspelt and required", closed({ ref: text, path: text }, { required: ["ref", "path"] }), { ref: "a", pth: "b" }, { ref: "a", path: "b" }],
  [
    "a name of a key that isn't allowed",
    closed({ tags: open({}, { propertyNames: { pattern: "^[a-z]+$" } }) }),
    { tags: { Env: "x" } },
    { tags: { env: "x" } },
  ],
  ["a name of a key that isn't in the list", closed({ m: open({}, { propertyNames: oneOf("width", "height") }) }), { m: { widht: 1 } }, { m: { width: 1 } }],
];

/** What one of them requires. */
export const dependencyCases: readonly RepairCase[] = [
  ["a constant", closed({ card: text, kind: { const: "card" } }, { dependentRequired: { card: ["kind"] } }), { card: "4" }, { card: "4", kind: "card" }],
  ["a default", closed({ from: whole, unit: { ...text, default: "km" } }, { dependentRequired: { from: ["unit"] } }), { from: 1 }, { from: 1, unit: "km" }],
  ["two", closed({ a: whole, b: { const: 1 }, c: { ...flag, default: true } }, { dependentRequired: { a: ["b", "c"] } }), { a: 1 }, { a: 1, b: 1, c: true }],
  [
    "in a nested object",
    closed({ o: closed({ a: whole, "b c": { const: "x" } }, { dependentRequired: { a: ["b c"] } }) }),
    { o: { a: 1 } },
    { o: { a: 1, "b c": "x" } },
  ],
  ["by a schema", open({ a: whole }, { dependentSchemas: { a: open({ b: { const: "x" } }, { required: ["b"] }) } }), { a: 1 }, { a: 1, b: "x" }],
  [
    "by a condition, of a number",
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    open({ mode: text, size: number }, { if: open({ mode: { const: "small" } }, { required: ["mode"] }), then: open({ size: { maximum: 10 } }) }),
    { mode: "small", size: 50 },
    { mode: "small", size: 10 },
  ],
  [
    "by a condition, of one of several values",
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    open({ mode: text, hue: text }, { if: open({ mode: { const: "a, got b" } }, { required: ["mode"] }), then: open({ hue: oneOf("red", "blue") }) }),
    { mode: "a, got b", hue: "blu" },
    { mode: "a, got b", hue: "blue" },
  ],
];
