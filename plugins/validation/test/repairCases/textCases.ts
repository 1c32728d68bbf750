import { closed, list, open, type RepairCase, text } from "./repairCase.js";

const like = (pattern: string, ...examples: readonly string[]): Record<string, string | readonly string[]> => ({
  type: "string",
  pattern,
  ...(examples.length > 0 && { examples }),
});
const format = (name: string): Record<string, string> => ({ type: "string", format: name });

/** Texts that don't match a pattern. */
export const patternCases: readonly RepairCase[] = [
  ["in lower case", closed({ cur: like("^[A-Z]{3}$", "EUR") }), { cur: "eur" }, { cur: "EUR" }],
  ["with blanks around", closed({ cur: like("^[A-Z]{3}$") }), { cur: " EUR " }, { cur: "EUR" }],
  ["a slug in words", closed({ slug: like("^[a-z0-9-]+$", "release-notes") }), { slug: "Release Notes" }, { slug: "release-notes" }],
  ["a name with dashes", closed({ name: like("^[a-z][a-z0-9_]*$", "user_table") }), { name: "user-table" }, { name: "user_table" }],
  ["without its beginning", closed({ id: like("^ORD-[0-9]{6}$", "ORD-004217") }), { id: "004217" }, { id: "ORD-004217" }],
  ["without its zeros", closed({ id: like("^ORD-[0-9]{6}$", "ORD-004217") }), { id: "ORD-4217" }, { id: "ORD-004217" }],
  ["without beginning and zeros", closed({ id: like("^C[0-9]{4}$", "C0042") }), { id: "42" }, { id: "C0042" }],
  ["with a sign before", closed({ channel: like("^[a-z-]+$", "general") }), { channel: "#general" }, { channel: "general" }],
  ["in quotes", closed({ id: like("^[a-z]+$") }), { id: '"abc"' }, { id: "abc" }],
  ["without its separators", closed({ sku: like("^[A-Z]{2}-[0-9]{2}$", "AB-12") }), { sku: "ab12" }, { sku: "AB-12" }],
  ["with another separator", closed({ v: like("^\\d+\\.\\d+\\.\\d+$", "1.20.3") }), { v: "v1.20.3" }, { v: "1.20.3" }],
  ["a number with commas", closed({ amount: like("^\\d+$", "1000") }), { amount: "1,000" }, { amount: "1000" }],
  ["a phone number", closed({ phone: like("^\\+[0-9]{8,15}$", "+4912345678") }), { phone: "+49 123 45678" }, { phone: "+4912345678" }],
  ["a hash", closed({ commit: like("^[0-9a-f]{7,40}$", "5fea784") }), { commit: "5FEA784" }, { commit: "5fea784" }],
  ["a pattern that says got", closed({ v: like("^x, got [a-z]+$") }), { v: "X, got A" }, { v: "x, got a" }],
  ["a text that says got", closed({ v: like("^[a-z, ]+$") }), { v: 'A, GOT "B"'.replaceAll('"', "") }, { v: "a, got b" }],
  ["in a list", closed({ tags: list(like("^[a-z-]+$", "good-first-issue")) }), { tags: ["bug", "Good First Issue"] }, { tags: ["bug", "good-first-issue"] }],
];

/** Texts in another format. */
export const formatCases: readonly RepairCase[] = [
  ["a date with slashes", closed({ on: format("date") }), { on: "2026/12/31" }, { on: "2026-12-31" }],
  ["a date without zeros", closed({ on: format("date") }), { on: "2026-1-5" }, { on: "2026-01-05" }],
  ["a German date", closed({ on: format("date") }), { on: "31.12.2026" }, { on: "2026-12-31" }],
  ["a date with a time", closed({ on: format("date") }), { on: "2026-12-31T10:00:00Z" }, { on: "2026-12-31" }],
  ["a written date", closed({ on: format("date") }), { on: "March 5, 2026" }, { on: "2026-03-05" }],
  ["a time with a blank", closed({ at: format("date-time") }), { at: "2026-12-31 10:00:00Z" }, { at: "2026-12-31T10:00:00Z" }],
  ["a time without seconds", closed({ at: format("date-time") }), { at: "2026-12-31T10:00Z" }, { at: "2026-12-31T10:00:00Z" }],
  ["a time of day without seconds", closed({ at: format("time") }), { at: "09:30Z" }, { at: "09:30:00Z" }],
  ["an address with a scheme", closed({ to: format("email") }), { to: "mailto:ada@example.org" }, { to: "ada@example.org" }],
  ["an address with a name", closed({ to: format("email") }), { to: "Ada <ada@example.org>" }, { to: "ada@example.org" }],
  ["a URL for a host", closed({ host: format("hostname") }), { host: "https://www.example.org/a" }, { host: "www.example.org" }],
  ["an address with a port", closed({ ip: format("ipv4") }), { ip: "192.0.2.1:80" }, { ip: "192.0.2.1" }],
  ["an address in brackets", closed({ ip: format("ipv6") }), { ip: "[2001:db8::1]" }, { ip: "2001:db8::1" }],
  ["a URL without its scheme", closed({ url: format("uri") }), { url: "example.org/a" }, { url: "https://example.org/a" }],
  ["a UUID without dashes", closed({ id: format("uuid") }), { id: "123e4567e89b12d3a456426614174000" }, { id: "123e4567-e89b-12d3-a456-426614174000" }],
  ["a UUID in braces", closed({ id: format("uuid") }), { id: "{123e4567-e89b-12d3-a456-426614174000}" }, { id: "123e4567-e89b-12d3-a456-426614174000" }],
  ["a duration in words", closed({ wait: format("duration") }), { wait: "90 minutes" }, { wait: "PT90M" }],
  ["a pointer with dots", closed({ at: format("json-pointer") }), { at: "a.b[0]" }, { at: "/a/b/0" }],
  ["the empty text for one that isn't required", closed({ q: text, on: format("date") }), { q: "a", on: "" }, { q: "a" }],
];

/** Texts and lists that are too long, or hold what they shouldn't. */
export const countCases: readonly RepairCase[] = [
  ["a text with blanks", closed({ country: { ...text, minLength: 2, maxLength: 2 } }), { country: " FR " }, { country: "FR" }],
  ["an item twice", closed({ tags: list(text, { uniqueItems: true }) }), { tags: ["a", "b", "a"] }, { tags: ["a", "b"] }],
  ["three items twice", closed({ ids: list({}, { uniqueItems: true }) }), { ids: [1, 1, 2, 2, 3, 3] }, { ids: [1, 2, 3] }],
  [
    "an object twice",
    closed({ rows: list(open({}), { uniqueItems: true }) }),
    {
      rows: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    },
    { rows: [{ a: 1, b: 2 }] },
  ],
  ["more than a pair", closed({ at: { type: "array", prefixItems: [{}, {}], items: false } }), { at: [1, 2, 3] }, { at: [1, 2] }],
  ["what must be empty", closed({ at: { type: "array", items: false } }), { at: [1] }, { at: [] }],
  ["without what must be in it", closed({ scopes: list(text, { contains: { const: "openid" } }) }), { scopes: ["mail"] }, { scopes: ["mail", "openid"] }],
  [
    "twice what may be in it once",
    closed({ roles: list(text, { contains: { const: "owner" }, maxContains: 1 }) }),
    { roles: ["owner", "dev", "owner"] },
    { roles: ["owner", "dev"] },
  ],
];
