import { escapeControls } from "../output/cell.ts";

/** One comparison of a filter, as an explanation names it. */
interface Comparison {
  readonly operator: string;
  readonly attribute?: unknown;
  readonly value?: unknown;
  readonly negated?: boolean | undefined;
}

/** References such as `$name` and `@node.property` stand without quotes, as they do not in JSON. */
const valueText = (value: unknown): string =>
  typeof value === "string" && /^[$@]/.test(value) ? value : JSON.stringify(value);

/**
 * A comparison in the words of the filter: its attribute is a path, its value JSON. A branch is shown as its operator, because
 * its path in the policy or query is shown as well; the console shows no path and describes a branch in words.
 */
export const comparisonText = ({ operator, attribute, value, negated }: Comparison): string => {
  const attributeText = typeof attribute === "string" ? attribute : JSON.stringify(attribute);
  const parts = [
    ...(attribute === undefined ? [] : [attributeText]),
    operator,
    ...(value === undefined ? [] : [valueText(value)]),
  ];
  const text = parts.join(" ");
  return negated === true ? `NOT (${text})` : text;
};

/** The same for a terminal, with its position in the policy or query. */
export const comparisonLine = ({ path, ...comparison }: Comparison & { readonly path: string }): string =>
  `${path}: ${escapeControls(comparisonText(comparison))}`;
