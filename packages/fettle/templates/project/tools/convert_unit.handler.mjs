// The work behind convert_unit.tool.yaml. Arguments were checked against the spec before this is called.
import { inputError } from "fettle";

// Metres in a unit, grams in a unit; for temperatures the size of a degree and the zero, in kelvin.
const KINDS = {
  length: { mm: 0.001, cm: 0.01, m: 1, km: 1000, in: 0.0254, ft: 0.3048, yd: 0.9144, mi: 1609.344 },
  mass: { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 },
  temperature: { C: 1, F: 5 / 9, K: 1 },
};
const ZEROS = { C: 273.15, F: 459.67 * (5 / 9), K: 0 };

const kindOf = (unit) => Object.keys(KINDS).find((kind) => unit in KINDS[kind]);
const rounded = (value) => Number(value.toPrecision(10));

/** @type {import("./convert_unit.types.js").Handler} */
export default ({ value, from, to }) => {
  const kind = kindOf(from);
  if (kindOf(to) !== kind) {
    throw inputError("convert/different-kinds", {
      what: `${from} is a ${kind} and ${to} is a ${kindOf(to)}, so neither can be converted to the other.`,
      fix: `Convert ${from} to one of: ${Object.keys(KINDS[kind]).join(", ")}.`,
    });
  }
  const base = value * KINDS[kind][from] + (ZEROS[from] ?? 0);
  if (kind === "temperature" && base < 0) {
    throw inputError("convert/below-absolute-zero", {
      what: `${value} ${from} is below absolute zero, which is ${rounded(-ZEROS[from] / KINDS[kind][from])} ${from}.`,
      fix: "Check the number and its unit.",
    });
  }
  return { value: rounded((base - (ZEROS[to] ?? 0)) / KINDS[kind][to]), unit: to };
};
