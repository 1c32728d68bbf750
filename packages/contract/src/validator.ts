import type { JsonObject, Maybe } from "./json.js";
import type { ToolRef } from "./tool.js";

/** What a validator may use besides the value. */
export interface ValidatorContext {
  /** Where the value stands in the arguments, as messages write it: `items[0].iban`. */
  readonly path: string;
  /**
   * All arguments, mended and with their defaults, as a frozen copy. While others don't fit the schema they are what came: a validator that throws
   * over them is passed over, and asked again once all fit.
   */
  readonly args: JsonObject;
  readonly tool: ToolRef;
  /** Aborted when the answer isn't wanted any more: the call was cancelled, time is up, or another validator failed. Made when it is first read. */
  readonly signal: AbortSignal;
}

/** What is wrong with a value, for the model to read. */
export interface ValidatorProblem {
  /** In a few words, without the path and without a full stop: `the check digits are wrong`. Sent to the client: no secrets. */
  readonly message: string;
  /** What to do about it: `Ask the user for the IBAN again`. */
  readonly fix?: string;
}

/** What a validator answers: nothing, `null` or `true` for a value that is fine, else what is wrong with it. */
export type ValidatorAnswer = undefined | null | true | string | ValidatorProblem;

/**
 * Checks one argument beyond what a schema can say. It is asked for each value that is there, isn't null and fits the schema, before the tool runs;
 * what it says is wrong goes into the same list as the schema's problems.
 *
 * It may answer at once or later; later means within `field_timeout_ms` of the plugin's options (5,000 ms). One that throws, answers too late or
 * gives something else ends the call in `validation/validator-failed`, an internal_error: what is thrown goes to the log and not to the client.
 * Nothing can stop one that never returns. Values are frozen; `V` is the type that the schema makes sure of.
 *
 * @example
 * const checkIban: Validator<string> = (value) => (remainderOf(value) === 1 ? undefined : "the check digits are wrong");
 * export default checkIban;
 * @example
 * const checkOrder: Validator<string> = async (id, { signal }) =>
 *   (await orders.has(id, { signal })) || { message: `there is no order ${id}`, fix: "Look it up with list_orders" };
 */
export type Validator<V = unknown> = (value: V, context: ValidatorContext) => Maybe<ValidatorAnswer>;
