/** Whether a value is an error, also one of another realm (`node:vm`, test runners), where `instanceof` fails. */
export function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}
