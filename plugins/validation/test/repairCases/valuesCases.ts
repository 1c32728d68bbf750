import { closed, flag, list, number, oneOf, open, type RepairCase, text, whole } from "./repairCase.js";

/** Values of another type. */
export const typeCases: readonly RepairCase[] = [
  ["a number in quotes", closed({ n: whole }), { n: "5" }, { n: 5 }],
  ["a negative fraction in quotes", closed({ n: number }), { n: "-1.25" }, { n: -1.25 }],
  ["a number with a blank", closed({ n: whole }), { n: " 12 " }, { n: 12 }],
  ["a boolean in quotes", closed({ b: flag }), { b: "true" }, { b: true }],
  ["a boolean in Python", closed({ b: flag }), { b: "False" }, { b: false }],
  ["yes", closed({ b: flag }), { b: "yes" }, { b: true }],
  ["a number where text is wanted", closed({ id: text }), { id: 42 }, { id: "42" }],
  ["a number in a list of texts", closed({ ids: list(text) }), { ids: ["a", 7] }, { ids: ["a", "7"] }],
  ["true where text is wanted", closed({ v: text }), { v: true }, { v: "true" }],
  ["null for one that isn't required", closed({ q: text, limit: whole }), { q: "a", limit: null }, { q: "a" }],
  ["null deep inside", closed({ o: closed({ a: text, b: whole }) }), { o: { a: "x", b: null } }, { o: { a: "x" } }],
  ["the text null", closed({ q: text, limit: { type: ["integer", "null"] } }), { q: "a", limit: "null" }, { q: "a", limit: null }],
  ["the text null where null isn't allowed", closed({ q: text, limit: whole }), { q: "a", limit: "null" }, { q: "a" }],
  ["an object as text", closed({ o: open({ a: whole }) }), { o: '{"a":1}' }, { o: { a: 1 } }],
  ["a list as text", closed({ ids: list(whole) }), { ids: "[1, 2]" }, { ids: [1, 2] }],
  ["a list as text, with texts in it", closed({ ids: list(whole) }), { ids: '["1", 2]' }, { ids: [1, 2] }],
  ["an object as text with a misspelt key", closed({ o: closed({ name: text }) }), { o: '{"nmae":"a"}' }, { o: { name: "a" } }],
  ["one text for a list", closed({ tags: list(text) }), { tags: "bug" }, { tags: ["bug"] }],
  ["texts with commas for a list", closed({ tags: list(text) }), { tags: "bug, docs" }, { tags: ["bug", "docs"] }],
  ["numbers with commas for a list", closed({ ids: list(whole) }), { ids: "1,2,3" }, { ids: [1, 2, 3] }],
  ["one number for a list", closed({ ids: list(whole) }), { ids: 7 }, { ids: [7] }],
  ["one object for a list", closed({ rows: list(open({ a: whole })) }), { rows: { a: 1 } }, { rows: [{ a: 1 }] }],
  ["a list of one for its item", closed({ ref: text }), { ref: ["main"] }, { ref: "main" }],
  ["a list of one object for it", closed({ o: open({ a: whole }) }), { o: [{ a: 1 }] }, { o: { a: 1 } }],
  ["a number in quotes for a number or null", closed({ n: { anyOf: [whole, { type: "null" }] } }), { n: "3" }, { n: 3 }],
  [
    "thirty numbers in quotes",
    closed({ ids: list(whole) }),
    { ids: Array.from({ length: 30 }, (_, i) => String(i)) },
    { ids: Array.from({ length: 30 }, (_, i) => i) },
  ],
  ["a value that can only be one", closed({ kind: { ...text, enum: ["user"] } }), { kind: {} }, { kind: "user" }],
];

/** Numbers out of their bounds. */
export const rangeCases: readonly RepairCase[] = [
  ["more than the most", closed({ limit: { ...whole, minimum: 1, maximum: 100 } }), { limit: 500 }, { limit: 100 }],
  ["less than the least", closed({ page: { ...whole, minimum: 1 } }), { page: 0 }, { page: 1 }],
  ["less than a negative", closed({ lat: { ...number, minimum: -90, maximum: 90 } }), { lat: -90.5 }, { lat: -90 }],
  ["a fraction too large", closed({ p: { ...number, minimum: 0, maximum: 0.95 } }), { p: 1 }, { p: 0.95 }],
  ["not more than zero", closed({ n: { ...whole, exclusiveMinimum: 0 } }), { n: 0 }, { n: 1 }],
  ["not less than the end", closed({ hour: { ...whole, minimum: 0, exclusiveMaximum: 24 } }), { hour: 24 }, { hour: 23 }],
  ["a very large bound", closed({ n: { ...number, maximum: 1e21 } }), { n: 2e21 }, { n: 1e21 }],
  ["not a multiple", closed({ step: { ...whole, multipleOf: 5 } }), { step: 11 }, { step: 10 }],
  ["not a multiple of a cent", closed({ price: { ...number, multipleOf: 0.01 } }), { price: 19.999 }, { price: 20 }],
  ["out of bounds and no multiple", closed({ n: { ...whole, maximum: 100, multipleOf: 10 } }), { n: 123 }, { n: 100 }],
  ["in quotes and out of bounds", closed({ limit: { ...whole, maximum: 50 } }), { limit: "100" }, { limit: 50 }],
  ["in an item", closed({ rows: list(closed({ n: { ...whole, minimum: 1 } })) }), { rows: [{ n: 2 }, { n: 0 }] }, { rows: [{ n: 2 }, { n: 1 }] }],
];

/** Values that aren't in a list. */
export const enumCases: readonly RepairCase[] = [
  ["misspelt", closed({ priority: oneOf("low", "normal", "high", "urgent") }), { priority: "urgnet" }, { priority: "urgent" }],
  ["another case", closed({ state: oneOf("open", "closed") }), { state: "OPEN" }, { state: "open" }],
  ["a blank too many", closed({ state: oneOf("open", "closed") }), { state: " open" }, { state: "open" }],
  ["a blank for an underscore", closed({ state: oneOf("in_progress", "done") }), { state: "in progress" }, { state: "in_progress" }],
  ["another convention", closed({ state: oneOf("in-progress", "done") }), { state: "InProgress" }, { state: "in-progress" }],
  ["the only value", closed({ unit: oneOf("celsius") }), { unit: "kelvin" }, { unit: "celsius" }],
  ["a constant", closed({ version: { const: 2 } }), { version: 1 }, { version: 2 }],
  ["a constant object", closed({ o: { const: { a: [1] } } }), { o: { a: [] } }, { o: { a: [1] } }],
  ["a number in quotes", closed({ size: oneOf(1, 2, 4) }), { size: "2" }, { size: 2 }],
  ["text without quotes", closed({ code: oneOf("10", "20") }), { code: 20 }, { code: "20" }],
  ["a text with brackets and commas", closed({ op: oneOf('a], got "b"', "c,d") }), { op: 'a], got "c"' }, { op: 'a], got "b"' }],
  [
    "one of eighty",
    closed({ code: oneOf(...Array.from({ length: 80 }, (_, i) => `region-${"abcdefgh".charAt(i % 8)}-${i}`)) }),
    { code: "regionn-h-79" },
    { code: "region-h-79" },
  ],
  [
    "one of fifteen long ones",
    closed({ policy: oneOf(...Array.from({ length: 15 }, (_, i) => `policy-for-retention-of-documents-${"abcdefghijklmno".charAt(i)}`)) }),
    { policy: "policy-for-retention-of-docments-n" },
    { policy: "policy-for-retention-of-documents-n" },
  ],
  ["in a list", closed({ kinds: list(oneOf("bug", "feature", "question")) }), { kinds: ["bug", "feture"] }, { kinds: ["bug", "feature"] }],
  ["of a nullable one", closed({ s: { enum: ["asc", "desc", null] } }), { s: "dsc" }, { s: "desc" }],
  ["constants of a union", closed({ v: { oneOf: [{ const: "left" }, { const: "right" }] } }), { v: "rigth" }, { v: "right" }],
];
