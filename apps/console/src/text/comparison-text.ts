import { valueText } from "./json.ts";

interface Comparison {
  readonly attribute?: unknown;
  readonly operator: string;
  readonly value?: unknown;
}

/** A comparison in the words of the filter: attributes are paths, values are JSON. */
export const comparisonText = ({ attribute, operator, value }: Comparison): string => {
  // The leaves of an operator that combines comparisons are its comparisons.
  if (attribute === undefined)
    return operator === "NOT" ? "not all of its comparisons" : "one of its comparisons";
  return `${valueText(attribute)} ${operator} ${JSON.stringify(value) ?? ""}`.trim();
};
