import { leafOperators, leafRules, type LeafOperator } from "@ikg/policy-core/vocabulary";
import { isObject, printJson } from "../../text/json.ts";

/** One comparison of a filter. */
export interface FilterRow {
  readonly attribute: string;
  readonly operator: LeafOperator;
  /** A text, or JSON for anything else. */
  readonly value: string;
  /** Members that the row does not show, as `advice`. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** A filter that is a list of comparisons: all of them must hold, or one. */
export interface FilterRows {
  readonly needs: "all" | "any";
  readonly rows: readonly FilterRow[];
}

export const operators = leafOperators;

export const takesValue = (operator: LeafOperator): boolean => leafRules[operator].takes.length > 0;

export const takesArrayOnly = (operator: LeafOperator): boolean =>
  takesValue(operator) && leafRules[operator].takes.every((each) => each === "array");

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** A text stays as it is unless it would be read as something else. */
export const printValue = (value: unknown): string =>
  typeof value === "string" && parsed(value) === undefined ? value : JSON.stringify(value);

/** Whether a number is not the one that was typed: 1e999 is infinite, and the last digits of a long integer are rounded. */
const isInexact = (value: number, text: string): boolean =>
  !Number.isFinite(value) ||
  (/^-?\d+$/.test(text.trim()) && !Number.isSafeInteger(value) && String(value) !== text.trim());

/** The value of a field: JSON, or a text where it is none. A number that JSON would change stays a text. */
export const readValue = (text: string): unknown => {
  const value = parsed(text);
  return value === undefined || (typeof value === "number" && isInexact(value, text)) ? text : value;
};

const isOperator = (value: unknown): value is LeafOperator => operators.some((each) => each === value);

const rowOf = (leaf: unknown): FilterRow | undefined => {
  if (!isObject(leaf)) return undefined;
  const { attribute, operator, value, ...rest } = leaf;
  if (typeof attribute !== "string" || !isOperator(operator) || "operands" in rest) return undefined;
  return { attribute, operator, value: value === undefined ? "" : printValue(value), rest };
};

const rowsOf = (needs: FilterRows["needs"], leaves: readonly unknown[]): FilterRows | undefined => {
  const rows = leaves.map(rowOf);
  const known = rows.filter((row) => row !== undefined);
  return known.length === rows.length ? { needs, rows: known } : undefined;
};

/** @returns undefined for any other filter. */
export const filterRows = (json: string): FilterRows | undefined => {
  if (json.trim() === "") return { needs: "all", rows: [] };
  const filter = parsed(json);
  if (Array.isArray(filter)) return rowsOf("all", filter);
  if (!isObject(filter)) return undefined;
  const { operator, operands, ...rest } = filter;
  if ((operator === "AND" || operator === "OR") && Array.isArray(operands))
    return Object.keys(rest).length === 0 ? rowsOf(operator === "AND" ? "all" : "any", operands) : undefined;
  return rowsOf("all", [filter]);
};

const leafOf = ({ attribute, operator, value, rest }: FilterRow): object => ({
  attribute,
  operator,
  ...(takesValue(operator) && { value: readValue(value) }),
  ...rest,
});

/** JSON of the filter; empty for none. */
export const printRows = ({ needs, rows }: FilterRows): string => {
  const leaves = rows.map(leafOf);
  const [first] = leaves;
  if (first === undefined) return "";
  if (leaves.length === 1) return printJson(first);
  return printJson(needs === "all" ? leaves : { operator: "OR", operands: leaves });
};

/**
 * The rows that a field shows of a filter. As long as the filter is what the edited rows say, it shows these, with what the JSON does
 * not keep: `0.0` on the way to `0.05`, and the value of a comparison whose operator takes none at the moment.
 *
 * @returns undefined for a filter that is no list of comparisons.
 */
export const shownRows = (edited: FilterRows | undefined, json: string): FilterRows | undefined =>
  edited !== undefined && printRows(edited) === json ? edited : filterRows(json);
