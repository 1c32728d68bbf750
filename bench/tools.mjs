// The tools that every contender serves: a call with twelve fields, and as many plain ones beside it as a scenario wants.

/** Name of the tool that is called. */
export const ORDER = "create_order";

const text = (pattern) => ({ type: "string", pattern });
const closed = (properties, required = Object.keys(properties)) => ({ type: "object", additionalProperties: false, required, properties });

/** JSON Schema of the called tool's arguments: twelve fields, two of them objects, one a list of objects. */
export const orderSchema = closed(
  {
    order_id: text("^ORD-[0-9]{6}$"),
    customer: closed({
      id: text("^C[0-9]{4,10}$"),
      name: { type: "string", minLength: 1, maxLength: 100 },
      email: { type: "string", format: "email" },
      tier: { type: "string", enum: ["standard", "silver", "gold"] },
    }),
    channel: { type: "string", enum: ["web", "mobile", "store", "phone"] },
    currency: text("^[A-Z]{3}$"),
    created_at: { type: "string", format: "date-time" },
    priority: { type: "integer", minimum: 1, maximum: 5 },
    discount_percent: { type: "number", minimum: 0, maximum: 100 },
    notes: { type: "string", maxLength: 500 },
    gift_wrap: { type: "boolean" },
    address: closed({ street: { type: "string", minLength: 1, maxLength: 200 }, city: { type: "string", minLength: 1 }, country: text("^[A-Z]{2}$") }),
    tags: { type: "array", maxItems: 10, items: { type: "string", maxLength: 40 } },
    items: {
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: closed({
        sku: text("^[A-Z]{3}-[0-9]{4}$"),
        quantity: { type: "integer", minimum: 1, maximum: 999 },
        unit_price: { type: "number", minimum: 0 },
      }),
    },
  },
  ["order_id", "customer", "channel", "currency", "created_at", "priority", "address", "items"],
);

/** The same for zod, as users of the 1.x SDK write it. */
export function orderShape(z) {
  return {
    order_id: z.string().regex(/^ORD-[0-9]{6}$/),
    customer: z.strictObject({
      id: z.string().regex(/^C[0-9]{4,10}$/),
      name: z.string().min(1).max(100),
      email: z.email(),
      tier: z.enum(["standard", "silver", "gold"]),
    }),
    channel: z.enum(["web", "mobile", "store", "phone"]),
    currency: z.string().regex(/^[A-Z]{3}$/),
    created_at: z.iso.datetime({ offset: true }),
    priority: z.int().min(1).max(5),
    discount_percent: z.number().min(0).max(100).optional(),
    notes: z.string().max(500).optional(),
    gift_wrap: z.boolean().optional(),
    address: z.strictObject({ street: z.string().min(1).max(200), city: z.string().min(1), country: z.string().regex(/^[A-Z]{2}$/) }),
    tags: z.array(z.string().max(40)).max(10).optional(),
    items: z
      .array(z.strictObject({ sku: z.string().regex(/^[A-Z]{3}-[0-9]{4}$/), quantity: z.int().min(1).max(999), unit_price: z.number().min(0) }))
      .min(1)
      .max(50),
  };
}

/** Arguments that fit. */
export const goodOrder = {
  order_id: "ORD-004217",
  customer: { id: "C10023", name: "Maya Lindqvist", email: "maya.lindqvist@example.com", tier: "gold" },
  channel: "web",
  currency: "EUR",
  created_at: "2026-03-14T09:26:53Z",
  priority: 3,
  discount_percent: 10,
  notes: "Leave it at the side door.",
  gift_wrap: true,
  address: { street: "12 Harbour Lane", city: "Malmo", country: "SE" },
  tags: ["returning", "newsletter"],
  items: [
    { sku: "ABC-1201", quantity: 2, unit_price: 20 },
    { sku: "XYZ-0007", quantity: 1, unit_price: 250 },
    { sku: "QRS-9910", quantity: 10, unit_price: 1 },
  ],
};

/** What the handler makes of {@link goodOrder}. */
export const goodTotal = 270;

/** The same with a fault in each of four places, none of which can be repaired. */
export const badOrder = {
  ...goodOrder,
  channel: "fax",
  priority: 9,
  customer: { ...goodOrder.customer, email: "nobody" },
  items: [goodOrder.items[0], { sku: "XYZ-0007", quantity: 0, unit_price: 250 }],
};

/** The work itself, the same for all. */
export function order({ order_id, currency, items, discount_percent = 0 }) {
  let sum = 0;
  for (const { quantity, unit_price } of items) sum += quantity * unit_price;
  return { order_id, status: "accepted", total: Math.round(sum * (100 - discount_percent)) / 100, currency };
}

const VERBS = ["create", "list", "update", "archive", "approve", "export", "merge", "restore", "compare", "publish"];
const NOUNS = ["invoice", "ticket", "contact", "shipment", "payment", "campaign", "incident", "survey", "contract", "vehicle"];

/** Names and descriptions of the tools that stand beside the called one. */
export function besides(count) {
  return Array.from({ length: count }, (_, index) => {
    const verb = VERBS[index % 10];
    const noun = NOUNS[Math.floor(index / 10) % 10];
    const name = `${verb}_${noun}_${index}`;
    const description = `Use it to ${verb} one ${noun} of department ${index} by its id, with the status and the labels that the ${noun} shall have from then on, and get it back as it is stored.`;
    return { name, noun, description };
  });
}

/** JSON Schema of the tools that stand beside the called one. */
export function besideSchema(noun) {
  return closed(
    {
      id: { type: "string", pattern: "^[a-z0-9-]{4,36}$", description: `Identifier of the ${noun}` },
      name: { type: "string", minLength: 1, maxLength: 120, description: `Name of the ${noun}` },
      status: { type: "string", enum: ["open", "closed", "pending"], description: "Status that it shall have" },
      limit: { type: "integer", minimum: 1, maximum: 100, description: "How many entries of its history to return" },
      since: { type: "string", format: "date-time", description: "Only history after this time" },
      labels: { type: "array", maxItems: 20, items: { type: "string" }, description: "Labels that it shall have" },
    },
    ["id", "name"],
  );
}

/** The same for zod. */
export function besideShape(z, noun) {
  return {
    id: z
      .string()
      .regex(/^[a-z0-9-]{4,36}$/)
      .describe(`Identifier of the ${noun}`),
    name: z.string().min(1).max(120).describe(`Name of the ${noun}`),
    status: z.enum(["open", "closed", "pending"]).optional().describe("Status that it shall have"),
    limit: z.int().min(1).max(100).optional().describe("How many entries of its history to return"),
    since: z.iso.datetime({ offset: true }).optional().describe("Only history after this time"),
    labels: z.array(z.string()).max(20).optional().describe("Labels that it shall have"),
  };
}
