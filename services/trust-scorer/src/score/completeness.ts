import type { ScorableNode, ScorableProperty } from "./scorable.ts";

/** True for a property that says something: a reference to a value does, an empty text or list does not. */
export const isFilled = ({ value }: Pick<ScorableProperty, "value">): boolean => {
  if (typeof value === "string") return value.trim() !== "";
  return !(Array.isArray(value) && value.length === 0);
};

/** Which share of the expected properties a node has. */
export const completeness = (node: ScorableNode, expected: ReadonlySet<string>): number => {
  if (expected.size === 0) return 1;
  const filled = node.properties.filter((property) => expected.has(property.name) && isFilled(property));
  return filled.length / expected.size;
};

/** The properties that enough nodes of a type have filled. */
export const expectedProperties = (
  filled: ReadonlyMap<string, number>,
  nodes: number,
  minShare: number,
): readonly string[] =>
  [...filled].filter(([, count]) => nodes > 0 && count / nodes >= minShare).map(([name]) => name);
