import { instantOf, textOf } from "../mapping/convert.ts";
import type { ValueKind } from "../mapping/schema.ts";

/** A column by its sampled values. */
export interface ColumnProfile {
  readonly name: string;
  /** The type to which texts are converted; undefined: values are kept. */
  readonly as: ValueKind | undefined;
  /** Every row has a value, and no two rows have the same. */
  readonly isUnique: boolean;
  /** Distinct values as texts. */
  readonly values: ReadonlySet<string>;
}

/** Patterns of texts, the strictest first; a code with leading zeros is not a number. */
const forms: readonly (readonly [ValueKind, (text: string) => boolean])[] = [
  ["integer", (text) => /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))],
  ["number", (text) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)],
  ["boolean", (text) => /^(true|false|t|f)$/i.test(text)],
  ["datetime", (text) => instantOf(text) !== undefined],
];

const kindOf = (values: readonly unknown[]): ValueKind | undefined => {
  if (values.some((value) => value instanceof Date)) return "datetime";
  if (values.length === 0 || values.some((value) => typeof value !== "string")) return undefined;
  return forms.find(([, fits]) => values.every((value) => fits(String(value))))?.[0];
};

/** @param rows the number of sampled rows. */
export const profileColumn = (name: string, present: readonly unknown[], rows: number): ColumnProfile => {
  const values = new Set(present.map(textOf));
  return {
    name,
    as: kindOf(present),
    isUnique: rows > 0 && present.length === rows && values.size === rows,
    values,
  };
};
