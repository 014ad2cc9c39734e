import type { Expression } from "./ast.ts";

/** The predicates that must all be true, in the order of the text; none for an absent predicate. */
export const conjuncts = (predicate: Expression | undefined): readonly Expression[] => {
  const found: Expression[] = [];
  const waiting = predicate === undefined ? [] : [predicate];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "binary" && next.operator === "AND") waiting.push(next.right, next.left);
    else found.push(next);
  }
  return found;
};

/** One predicate of several; undefined for none. */
export const conjunction = (predicates: readonly Expression[]): Expression | undefined =>
  predicates.length === 0
    ? undefined
    : predicates.reduce((left, right) => ({ kind: "binary", operator: "AND", left, right, at: left.at }));
