import { valueText } from "./json.ts";

interface Comparison {
  readonly attribute?: unknown;
  readonly operator: string;
  readonly value?: unknown;
  readonly negated?: boolean | undefined;
}

/**
 * A comparison in the words of the filter: attributes are paths, values are JSON. A branch is described in words, because its path in
 * the policy or query is not shown; the command line shows its operator and path.
 */
export const comparisonText = ({ attribute, operator, value, negated }: Comparison): string => {
  // The leaves of an operator that combines comparisons are its comparisons.
  if (attribute === undefined)
    return operator === "NOT" ? "not all of its comparisons" : "one of its comparisons";
  const text = `${valueText(attribute)} ${operator} ${JSON.stringify(value) ?? ""}`.trim();
  return negated === true ? `NOT (${text})` : text;
};
