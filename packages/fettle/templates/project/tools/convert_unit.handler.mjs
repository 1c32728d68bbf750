// The work behind convert_unit.tool.yaml. Arguments were checked against the spec before this is called.
import { inputError } from "fettle";

// What a unit measures, how large it is (in metres, grams or kelvin), and where its zero lies.
const UNITS = {
  mm: { kind: "length", size: 0.001, zero: 0 },
  cm: { kind: "length", size: 0.01, zero: 0 },
  m: { kind: "length", size: 1, zero: 0 },
  km: { kind: "length", size: 1000, zero: 0 },
  in: { kind: "length", size: 0.0254, zero: 0 },
  ft: { kind: "length", size: 0.3048, zero: 0 },
  yd: { kind: "length", size: 0.9144, zero: 0 },
  mi: { kind: "length", size: 1609.344, zero: 0 },
  g: { kind: "mass", size: 1, zero: 0 },
  kg: { kind: "mass", size: 1000, zero: 0 },
  oz: { kind: "mass", size: 28.349523125, zero: 0 },
  lb: { kind: "mass", size: 453.59237, zero: 0 },
  C: { kind: "temperature", size: 1, zero: 273.15 },
  F: { kind: "temperature", size: 5 / 9, zero: 459.67 * (5 / 9) },
  K: { kind: "temperature", size: 1, zero: 0 },
};

/** @param {number} value */
const rounded = (value) => Number(value.toPrecision(10));

/** @type {import("./convert_unit.types.js").Handler} */
export default ({ value, from, to }) => {
  const old = UNITS[from];
  const wanted = UNITS[to];
  if (old.kind !== wanted.kind) {
    const same = Object.entries(UNITS).flatMap(([unit, { kind }]) => (kind === old.kind ? [unit] : []));
    throw inputError("convert/different-kinds", {
      what: `${from} is a ${old.kind} and ${to} is a ${wanted.kind}, so neither can be converted to the other.`,
      fix: `Convert ${from} to one of: ${same.join(", ")}.`,
    });
  }
  const base = value * old.size + old.zero;
  if (old.kind === "temperature" && base < 0) {
    throw inputError("convert/below-absolute-zero", {
      what: `${value} ${from} is below absolute zero, which is ${rounded(-old.zero / old.size)} ${from}.`,
      fix: "Check the number and its unit.",
    });
  }
  return { value: rounded((base - wanted.zero) / wanted.size), unit: to };
};
