import type { JsonSchema } from "@fettle/contract";
import { cloneJson } from "./cloneJson.js";
import { defaultOf } from "./defaultOf.js";
import { isObject, isSchema, type Members, own, setOwn } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";
import { subschemas } from "./subschemas.js";

/** Whether a value fits an inner schema. */
export type Fits = (schema: JsonSchema, value: unknown) => boolean;

const DEEPEST = 64;

/** Where a schema has defaults: found once, so that values are looked at nowhere else. */
interface Plan {
  /** Of `$ref` and `allOf`. */
  readonly inPlace: Plan[];
  /** Of `anyOf` and `oneOf`: the branch that a value fits counts. */
  readonly unions: (readonly { readonly schema: JsonSchema; readonly plan: Plan | undefined }[])[];
  readonly members: { readonly key: string; readonly fallback: unknown; readonly plan: Plan | undefined }[];
  /** Of the members that aren't `declared`. */
  additional: { readonly declared: Members; readonly plan: Plan } | undefined;
  readonly tuple: (Plan | undefined)[];
  items: Plan | undefined;
}

/**
 * Fills in the defaults of absent members, those of nested objects too. The value is never changed: what differs is a copy.
 *
 * Defaults are looked for where it is certain that a schema applies: `properties`, `items`, `$ref`, `allOf`, and the branch of `anyOf` or `oneOf`
 * that the value fits. A default that doesn't fit its own schema is left out.
 */
export class Defaults {
  readonly #index: SchemaIndex;
  readonly #fits: Fits;
  readonly #plans = new Map<object, Plan | undefined>();
  readonly #plan: Plan | undefined;

  constructor(index: SchemaIndex, schema: JsonSchema, fits: Fits) {
    this.#index = index;
    this.#fits = fits;
    this.#plan = hasDefaults(schema, index, new Set()) ? this.#planOf(schema) : undefined;
  }

  fill(value: unknown): unknown {
    return this.#plan === undefined ? value : this.#fill(this.#plan, value, 0);
  }

  #planOf(schema: unknown): Plan | undefined {
    if (!isObject(schema) || !isSchema(schema)) return undefined;
    if (this.#plans.has(schema)) return this.#plans.get(schema);
    const plan: Plan = { inPlace: [], unions: [], members: [], additional: undefined, tuple: [], items: undefined };
    // Before what is inside, which may refer back to it.
    this.#plans.set(schema, plan);
    this.#complete(plan, schema);
    const { inPlace, unions, members, additional, tuple, items } = plan;
    const isEmpty = inPlace.length + unions.length + members.length === 0 && !tuple.some(Boolean) && additional === undefined && items === undefined;
    if (isEmpty) this.#plans.set(schema, undefined);
    return isEmpty ? undefined : plan;
  }

  #complete(plan: Plan, schema: Members): void {
    const listOf = (keyword: string): readonly unknown[] => {
      const list = own(schema, keyword);
      return Array.isArray(list) ? list : [];
    };
    const ref = own(schema, "$ref");
    const target = typeof ref === "string" && isSchema(schema) ? this.#index.resolve(schema, ref) : undefined;
    const applied = target === undefined ? [] : [target.schema];
    const isHidden = target !== undefined && this.#index.dialect === "draft-07";
    for (const each of isHidden ? applied : [...applied, ...listOf("allOf")]) {
      const inner = this.#planOf(each);
      if (inner !== undefined) plan.inPlace.push(inner);
    }
    if (isHidden) return;
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = listOf(keyword)
        .filter(isSchema)
        .map((each) => ({ schema: each, plan: this.#planOf(each) }));
      if (branches.some((branch) => branch.plan !== undefined)) plan.unions.push(branches);
    }
    const properties = own(schema, "properties");
    const declared = isObject(properties) ? properties : {};
    for (const [key, inner] of Object.entries(declared)) {
      if (!isSchema(inner)) continue;
      const fallback = defaultOf(this.#index, inner);
      const member = { key, fallback: fallback !== undefined && this.#fits(inner, fallback) ? fallback : undefined, plan: this.#planOf(inner) };
      if (member.fallback !== undefined || member.plan !== undefined) plan.members.push(member);
    }
    const additional = this.#planOf(own(schema, "additionalProperties"));
    if (additional !== undefined) plan.additional = { declared, plan: additional };
    const items = own(schema, "items");
    plan.tuple.push(...(Array.isArray(items) ? items : listOf("prefixItems")).map((each) => this.#planOf(each)));
    plan.items = this.#planOf(items);
  }

  #fill(plan: Plan, value: unknown, depth: number): unknown {
    if (depth > DEEPEST || typeof value !== "object" || value === null) return value;
    let filled: unknown = value;
    for (const inner of plan.inPlace) filled = this.#fill(inner, filled, depth + 1);
    for (const branches of plan.unions) {
      const branch = branches.find(({ schema }) => this.#fits(schema, value));
      if (branch?.plan !== undefined) filled = this.#fill(branch.plan, filled, depth + 1);
    }
    if (Array.isArray(filled)) return this.#fillItems(plan, filled, depth + 1);
    return isObject(filled) ? this.#fillMembers(plan, filled, depth + 1) : filled;
  }

  #fillItems({ tuple, items }: Plan, value: readonly unknown[], depth: number): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let i = 0; i < (items === undefined ? Math.min(tuple.length, value.length) : value.length); i += 1) {
      const plan = i < tuple.length ? tuple[i] : items;
      if (plan === undefined) continue;
      const next = this.#fill(plan, value[i], depth);
      if (next === value[i]) continue;
      copy ??= [...value];
      copy[i] = next;
    }
    return copy ?? value;
  }

  #fillMembers({ members, additional }: Plan, value: Members, depth: number): object {
    let copy: object | undefined;
    const set = (key: string, next: unknown): void => {
      copy ??= copyMembers(value);
      setOwn(copy, key, next);
    };
    for (const { key, fallback, plan } of members) {
      const before = own(value, key);
      const start = before === undefined ? cloneJson(fallback) : before;
      const next = plan === undefined || start === undefined ? start : this.#fill(plan, start, depth);
      if (next !== before) set(key, next);
    }
    if (additional === undefined) return copy ?? value;
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(additional.declared, key)) continue;
      const before = own(value, key);
      const next = this.#fill(additional.plan, before, depth);
      if (next !== before) set(key, next);
    }
    return copy ?? value;
  }
}

/** Member by member: what is added to a copy by spreading makes it slow. */
function copyMembers(value: Members): object {
  const copy = {};
  for (const key of Object.keys(value)) setOwn(copy, key, own(value, key));
  return copy;
}

/** Whether a document has any `default` at all. */
function hasDefaults(schema: JsonSchema, index: SchemaIndex, seen: Set<object>): boolean {
  if (typeof schema === "boolean" || seen.has(schema)) return false;
  seen.add(schema);
  if (Object.hasOwn(schema, "default")) return true;
  for (const inner of subschemas(schema, index.dialect)) if (hasDefaults(inner.schema, index, seen)) return true;
  return false;
}
