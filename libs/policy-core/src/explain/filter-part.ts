import type { FilterOutcome } from "../filters/evaluate.ts";
import type { Filter, Leaf, Operand } from "../filters/filter.ts";
import { referenceText } from "../values/reference.ts";

/** A part of a filter by its place in the JSON of its policy or query, with its author's own words. */
export interface FilterPart {
  /** `policy.condition.filter[1]`. */
  readonly path: string;
  readonly operator: string;
  /** Of a leaf: what it reads. */
  readonly attribute?: unknown;
  /** Of a leaf: what it compares with, as it is written there. */
  readonly value?: unknown;
  /** Of a leaf with a `datetime` object. */
  readonly compares?: "instants";
}

/** An operand as its author wrote it; what a row holds begins with `@` where it is a value. */
const operandText = (operand: Operand, sign: "" | "@"): unknown => {
  switch (operand.kind) {
    case "literal":
      return operand.value;
    case "reference":
      return referenceText(operand.reference);
    case "aggregate":
      return `${sign}${operand.name}`;
    case "node-path":
    case "relationship-path":
      return `${sign}${operand.path.text}`;
  }
};

const leafPart = ({ path, operator, attribute, value, compares }: Leaf): FilterPart => ({
  path,
  operator,
  attribute: operandText(attribute, ""),
  ...(value === undefined ? {} : { value: operandText(value, "@") }),
  ...(compares === "instants" ? { compares } : {}),
});

export const filterPart = (filter: Filter): FilterPart =>
  filter.kind === "leaf" ? leafPart(filter) : { path: filter.path, operator: filter.operator };

/** Why a filter that is evaluated in memory is not true. */
export interface FilterExplanation {
  readonly outcome: "filter_not_satisfied";
  /** The first leaf that keeps the filter from being true. */
  readonly part: FilterPart;
  /** The leaf is below NOT and would have to be false. */
  readonly isNegated: boolean;
  /** It reads the bearer token, and none was sent. */
  readonly tokenMissing: boolean;
}

/** Explains a filter that is not true. @throws for one that is, since no leaf keeps it from that */
export const explainFilter = ({ failing, tokenMissing }: FilterOutcome): FilterExplanation => {
  const [first] = failing;
  if (first === undefined) throw new Error("a filter that is true has no failing leaf");
  const { leaf, isNegated } = first;
  return { outcome: "filter_not_satisfied", part: leafPart(leaf), isNegated, tokenMissing };
};
