import { findDuplicate } from "./findDuplicate.js";
import { isObject, isSchema, type Members, own, type SchemaObject } from "./jsonType.js";
import { type ArrayNode, isSeenElsewhere, type ObjectNode, type SchemaNode } from "./schemaNode.js";
import type { Writer } from "./writer.js";

const TOO_DEEP = "d <= 0";
/** Names that every object inherits a value of. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Statements about an object. */
export function writeObject(writer: Writer, node: SchemaNode, object: ObjectNode, schema: SchemaObject, value: string): string {
  const { declared, members, requiredElsewhere, additional, patterns } = object;
  const parts = [writer.unsureIf(TOO_DEEP)];
  const there = writer.variable();
  if (members.length > 0) {
    const search = writer.search(object, () => writeMembers(writer, object));
    parts.push(`let ${there} = ${search}(${value}, 0, d) - ${members.length};`, writer.unless(`${there} >= 0`));
  } else parts.push(`let ${there} = 0;`);
  for (const key of requiredElsewhere) parts.push(writer.unless(`${member(writer, value, key)} !== undefined`));
  if (additional?.schema === false && patterns.length === 0) {
    // As many as were found: there are no others. Else they are looked for, since there may be some whose value is undefined.
    parts.push(`for (const key in ${value}) ${there}--;`);
    parts.push(writer.unless(`${there} === 0 || !${writer.constant(hasOthers)}(${value}, ${writer.constant(declared)})`));
  } else if (!isSeenElsewhere(node) || !isOpen(object)) parts.push(writeOthers(writer, object, value));
  if (object.counts) parts.push(writeCounts(writer, schema, value));
  if (object.dependencies) parts.push(writeDependencies(writer, schema, value));
  return parts.join(" ");
}

/** The declared members, one case each. What it returns, where all fit, is their number plus how many are there. What is `inner` holds no loops. */
function writeMembers(writer: Writer, { members }: ObjectNode): string {
  const cases = members.map(({ key, node, required }, i) => {
    writer.fail = `{ n = ${i}; break; }`;
    const name = writer.variable();
    const size = `n++; b += ${key.length + 4};`;
    const check = required
      ? `${writer.unless(`${name} !== undefined`)} ${size} ${writer.inner(node, name)}`
      : `if (${name} !== undefined) { ${size} ${writer.inner(node, name)} }`;
    return `case ${i}: { const ${name} = ${member(writer, "v", key)}; ${check} }`;
  });
  return `let n = ${members.length}; switch (i) { ${cases.join("\n")} } left -= b; return n;`;
}

/** A member that is an own one. */
function member(writer: Writer, value: string, key: string): string {
  return INHERITED.has(key) ? `${writer.constant(own)}(${value}, ${JSON.stringify(key)})` : `${value}[${JSON.stringify(key)}]`;
}

/** The members that `properties` doesn't declare, and those that a pattern is about. */
function writeOthers(writer: Writer, object: ObjectNode, value: string): string {
  const { declared, additional, patterns } = object;
  const [key, name, known] = [writer.variable(), writer.variable(), writer.variable()];
  const matched = patterns.map(({ matcher, node }) => `if (${writer.constant(matcher())}.test(${key})) { ${known} = true; ${writer.inner(node, name)} }`);
  // Inherited ones that are enumerable don't come from JSON, and are no matter where members are only counted.
  return `for (const ${key} ${isOpen(object) ? `in ${value}` : `of Object.keys(${value})`}) {
    let ${known} = ${declared.size === 0 ? "false" : `${writer.constant(declared)}.has(${key})`};
    ${patterns.length === 0 ? `if (${known}) continue;` : ""}
    const ${name} = ${value}[${key}];
    if (${name} === undefined) continue;
    b += ${key}.length + 4;
    ${writer.unsureIf("b > left")}
    ${matched.join(" ")}
    if (!${known}) { ${writer.inner(additional, name)} }
  }`;
}

function writeCounts(writer: Writer, schema: SchemaObject, value: string): string {
  const [min, max, names] = [own(schema, "minProperties"), own(schema, "maxProperties"), own(schema, "propertyNames")];
  const [keys, key] = [writer.variable(), writer.variable()];
  return [
    `const ${keys} = Object.keys(${value}).filter((key) => ${value}[key] !== undefined);`,
    typeof min === "number" ? writer.unless(`${keys}.length >= ${min}`) : "",
    typeof max === "number" ? writer.unless(`${keys}.length <= ${max}`) : "",
    isSchema(names) ? `for (const ${key} of ${keys}) { ${writer.unless(writer.callSchema(names, key))} }` : "",
  ].join(" ");
}

function writeDependencies(writer: Writer, schema: SchemaObject, value: string): string {
  const keywords = writer.dialect === "draft-07" ? ["dependencies"] : ["dependentRequired", "dependentSchemas"];
  const entries = keywords.flatMap((keyword) => {
    const table = own(schema, keyword);
    return isObject(table) ? Object.entries(table) : [];
  });
  const parts = entries.map(([key, needs]) => {
    const names: readonly unknown[] = Array.isArray(needs) ? needs : [];
    const missing = names.filter((each) => typeof each === "string").map((each) => writer.unless(`${member(writer, value, each)} !== undefined`));
    const unfit = isSchema(needs) ? [writer.unless(writer.callSchema(needs, value))] : [];
    return `if (${member(writer, value, key)} !== undefined) { ${[...missing, ...unfit].join(" ")} }`;
  });
  return parts.join(" ");
}

/** Statements about an array. */
export function writeArray(writer: Writer, node: SchemaNode, array: ArrayNode, schema: SchemaObject, value: string): string {
  const { tuple, rest, contains, unique } = array;
  const [min, max] = [own(schema, "minItems"), own(schema, "maxItems")];
  const parts = [writer.unsureIf(TOO_DEEP)];
  if (typeof min === "number") parts.push(writer.unless(`${value}.length >= ${min}`));
  if (typeof max === "number") parts.push(writer.unless(`${value}.length <= ${max}`));
  // An item takes a byte at least.
  parts.push(writer.unsureIf(`${value}.length > left`));
  for (const [i, each] of tuple.entries()) {
    const item = writer.variable();
    parts.push(`if (${value}.length > ${i}) { const ${item} = ${value}[${i}]; ${writer.inner(each, item)} }`);
  }
  if (rest?.schema === false) parts.push(writer.unless(`${value}.length <= ${tuple.length}`));
  else if (rest !== undefined || !isSeenElsewhere(node)) {
    const search = writer.search(array, () => writeItems(writer, rest));
    parts.push(writer.unless(`${search}(${value}, ${tuple.length}, d) >= ${value}.length`));
  }
  if (unique) parts.push(writer.unsureIf("b > left"), writer.unless(`${writer.constant(findDuplicate)}(${value}) === undefined`));
  if (contains !== undefined) parts.push(writeContains(writer, contains, schema, value));
  return parts.join(" ");
}

function writeItems(writer: Writer, rest: SchemaNode | undefined): string {
  writer.fail = "break;";
  // Known to be an integer of 32 bits, it needn't be looked at again for each item.
  return `i |= 0; for (; i < v.length; i++) { const item = v[i]; ${writer.inner(rest, "item")} } left -= b; return i;`;
}

function writeContains(writer: Writer, wanted: SchemaNode, schema: SchemaObject, value: string): string {
  const draft07 = writer.dialect === "draft-07";
  const min = draft07 ? 1 : Number(own(schema, "minContains") ?? 1);
  const max = draft07 ? Number.POSITIVE_INFINITY : Number(own(schema, "maxContains") ?? Number.POSITIVE_INFINITY);
  const [found, item] = [writer.variable(), writer.variable()];
  const count = `let ${found} = 0; for (const ${item} of ${value}) { if (${writer.call(wanted, item, "d - 1")}) ${found}++; }`;
  return `${count} ${writer.unless(`${found} >= ${min} && ${found} <= ${max}`)}`;
}

/** Whether nothing is asked of the members that `properties` doesn't declare. */
function isOpen({ additional, patterns }: ObjectNode): boolean {
  return patterns.length === 0 && (additional === undefined || additional.schema === true);
}

function hasOthers(value: Members, declared: ReadonlySet<string>): boolean {
  return Object.keys(value).some((key) => value[key] !== undefined && !declared.has(key));
}
