// The work behind __NAME__.tool.yaml. Arguments were checked against the spec before this is called.
// Errors that a model can act on are thrown: `throw resourceError("orders/not-found", { what: "There is no order 17.", fix: "..." })`, imported
// from "fettle" like inputError, stateError, permissionError, rateLimitError and externalError. `ctx` has signal, deadline, log and progress.
/** @type {import("./__NAME__.types.js").Handler} */
export default async ({ text }, _ctx) => {
  return { text };
};
