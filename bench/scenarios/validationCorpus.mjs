// Schemas and arguments that are hard on validators, each with arguments that fit and with five problems, none of which can be repaired.
import { badOrder, goodOrder, orderSchema, orderShape } from "../tools.mjs";

const closed = (properties, required = []) => ({ type: "object", additionalProperties: false, properties, required });
const range = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const record = (count, key, value) => Object.fromEntries(range(count, (i) => [key(i), value(i)]));
/** A copy of a list with other items at five places. */
const spoiled = (items, make) =>
  items.map((item, i) => (i > 0 && i % Math.floor(items.length / 6) === 0 && i / Math.floor(items.length / 6) <= 5 ? make(item, i) : item));

const PATTERNS = ["^[A-Z]{3}-[0-9]{4}$", "^(?:[a-z0-9]+-)*[a-z0-9]+$", "^#[0-9a-f]{6}$", "^v\\d+\\.\\d+\\.\\d+$", "^[^\\s@]+@[^\\s@]+$"];
const MATCHING = ["ABC-1234", "a-slug-of-words-that-goes-on-for-long", "#00ff7f", "v1.20.3", "ada@example"];
const LEVELS = 12;
const SHAPES = range(8, (i) => ({ kind: `shape${i}`, [`size${i}`]: i }));

const nestedSchema = (level) =>
  closed({ name: { type: "string" }, size: { type: "integer", minimum: 0 }, ...(level > 0 && { inner: nestedSchema(level - 1) }) });
const nested = (level, size = () => 1) => ({ name: "x", size: size(level), ...(level > 0 && { inner: nested(level - 1, size) }) });
const nestedZod = (z, level) => z.strictObject({ name: z.string(), size: z.int().min(0), ...(level > 0 && { inner: nestedZod(z, level - 1).optional() }) });

const patterns = record(
  25,
  (i) => `p${i}`,
  (i) => MATCHING[i % 5],
);
const unions = range(200, (i) => SHAPES[i % 8]);
const numbers = range(10_000, (i) => i);
const objects = range(10_000, (i) => ({ id: i, name: `row ${i}` }));
const texts = range(6, (i) => `${i}${"lorem ipsum ".repeat(4_000)}`);
const wide = record(
  300,
  (i) => `argument_${i}`,
  (i) => i,
);

/**
 * @typedef {{ name: string, schema: object, shape(z: object): object, valid: object, five: object }} Hard
 * @type {readonly Hard[]}
 */
export const CORPUS = [
  { name: "order", schema: orderSchema, shape: orderShape, valid: goodOrder, five: { ...badOrder, currency: "euro" } },
  {
    name: "25 patterns",
    schema: closed(
      record(
        25,
        (i) => `p${i}`,
        (i) => ({ type: "string", pattern: PATTERNS[i % 5] }),
      ),
    ),
    shape: (z) =>
      record(
        25,
        (i) => `p${i}`,
        (i) => z.string().regex(new RegExp(PATTERNS[i % 5], "u")),
      ),
    valid: patterns,
    five: {
      ...patterns,
      ...record(
        5,
        (i) => `p${i}`,
        () => "a slug!",
      ),
    },
  },
  {
    name: `${LEVELS} levels`,
    schema: nestedSchema(LEVELS),
    shape: (z) => nestedZod(z, LEVELS).shape,
    valid: nested(LEVELS),
    five: nested(LEVELS, (level) => (level < 5 ? -1 : 1)),
  },
  {
    name: "200 unions",
    schema: closed({
      shapes: {
        type: "array",
        items: { oneOf: SHAPES.map(({ kind }, i) => closed({ kind: { const: kind }, [`size${i}`]: { type: "integer" } }, ["kind", `size${i}`])) },
      },
    }),
    shape: (z) => ({
      shapes: z.array(
        z.discriminatedUnion(
          "kind",
          SHAPES.map(({ kind }, i) => z.strictObject({ kind: z.literal(kind), [`size${i}`]: z.int() })),
        ),
      ),
    }),
    valid: { shapes: unions },
    five: { shapes: spoiled(unions, ({ kind }) => ({ kind, [`size${kind.at(-1)}`]: "large" })) },
  },
  {
    name: "10000 items",
    schema: closed({ ids: { type: "array", items: { type: "integer", minimum: 0 } } }),
    shape: (z) => ({ ids: z.array(z.int().min(0)) }),
    valid: { ids: numbers },
    five: { ids: spoiled(numbers, () => -1) },
  },
  {
    name: "10000 unique objects",
    schema: closed({ rows: { type: "array", uniqueItems: true, items: closed({ id: { type: "integer" }, name: { type: "string" } }) } }),
    shape: (z) => ({
      rows: z.array(z.strictObject({ id: z.int(), name: z.string() })).refine((rows) => new Set(rows.map((row) => JSON.stringify(row))).size === rows.length),
    }),
    valid: { rows: objects },
    five: { rows: spoiled(objects, (row, i) => (i > 8_000 ? objects[0] : { ...row, name: false })) },
  },
  {
    name: "long texts",
    schema: closed(
      record(
        6,
        (i) => `t${i}`,
        () => ({ type: "string", maxLength: 60_000, pattern: "^\\d[a-z ]*$" }),
      ),
    ),
    shape: (z) =>
      record(
        6,
        (i) => `t${i}`,
        () =>
          z
            .string()
            .max(60_000)
            .regex(/^\d[a-z ]*$/u),
      ),
    valid: record(
      6,
      (i) => `t${i}`,
      (i) => texts[i],
    ),
    five: record(
      6,
      (i) => `t${i}`,
      (i) => (i < 5 ? `${texts[i]}!` : texts[i]),
    ),
  },
  {
    name: "300 arguments",
    schema: closed(
      record(
        300,
        (i) => `argument_${i}`,
        () => ({ type: "integer" }),
      ),
    ),
    shape: (z) =>
      record(
        300,
        (i) => `argument_${i}`,
        () => z.int().optional(),
      ),
    valid: wide,
    five: {
      ...wide,
      ...record(
        5,
        (i) => `unknown_${i}`,
        (i) => i,
      ),
    },
  },
];

const letters = (count) => "a".repeat(count);

/** Arguments that are made to take long, which only Fettle is asked about: they would hold the others for minutes. */
export const HOSTILE = [
  { name: "a pattern that branches", schema: closed({ v: { type: "string", pattern: "^(a+)+$" } }), args: { v: `${letters(100_000)}!` } },
  { name: "a pattern with many ways", schema: closed({ v: { type: "string", pattern: "^(?:a|aa)*b$" } }), args: { v: letters(100_000) } },
  {
    name: "20000 unknown arguments",
    schema: closed(
      record(
        500,
        (i) => `argument_${i}`,
        () => true,
      ),
    ),
    args: record(
      20_000,
      (i) => `argumnet_${i}`,
      () => 1,
    ),
  },
  { name: "10000 wrong items", schema: closed({ v: { type: "array", items: { type: "integer" } } }), args: { v: range(10_000, () => "x") } },
  { name: "10000 numbers in quotes", schema: closed({ v: { type: "array", items: { type: "integer" } } }), args: { v: range(10_000, String) } },
  {
    name: "60 levels of a reference to itself",
    schema: {
      ...closed({ n: { $ref: "#/$defs/n" } }),
      $defs: { n: { anyOf: [{ type: "integer" }, closed({ n: { $ref: "#/$defs/n" } }), { type: "array", items: { $ref: "#/$defs/n" } }] } },
    },
    args: JSON.parse(`${'{"n":'.repeat(60)}"x"${"}".repeat(60)}`),
  },
  { name: "twins at the end of 10000 objects", schema: closed({ rows: { type: "array", uniqueItems: true } }), args: { rows: [...objects, objects[0]] } },
  {
    name: "1000 missing arguments beside 40000 others",
    schema: {
      type: "object",
      required: range(1_000, (i) => `argument_${i}`),
      properties: record(
        1_000,
        (i) => `argument_${i}`,
        () => true,
      ),
    },
    args: record(
      40_000,
      (i) => `argumnet_${i}`,
      () => 1,
    ),
  },
  { name: "a megabyte in one text", schema: closed({ v: { enum: range(1_000, (i) => `${letters(90)}${i}`) } }), args: { v: letters(1_000_000) } },
  {
    name: "a misspelt value among 1000",
    schema: closed({ v: { type: "array", items: { enum: range(1_000, (i) => `${letters(90)}${i}`) } } }),
    args: { v: range(2_000, (i) => `${letters(88)}b${i}`) },
  },
];
