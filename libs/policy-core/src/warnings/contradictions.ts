import { filterPart } from "../explain/filter-part.ts";
import { compareOf } from "../filters/evaluate.ts";
import { filterConjuncts, type Filter, type Leaf, literalOf, type Scalar } from "../filters/filter.ts";
import { leafRules } from "../filters/leaf-operators.ts";

/** The values that a leaf leaves to its attribute; undefined where they cannot be counted. */
const listedValues = (leaf: Leaf): readonly (Scalar | readonly Scalar[])[] | undefined => {
  const literal = literalOf(leaf);
  if (literal === undefined) return undefined;
  if (leaf.operator === "=") return [literal];
  return leaf.operator === "IN" && Array.isArray(literal) ? (literal as readonly Scalar[]) : undefined; // narrowed by isArray
};

/** True when no value lies between a lower and an upper bound. */
const leavesNothing = (a: Leaf, b: Leaf): boolean => {
  const bound = ({ operator }: Leaf): "lower" | "upper" | undefined => leafRules[operator].bound;
  const [low, high] = bound(a) === "lower" ? [a, b] : [b, a];
  if (bound(low) !== "lower" || bound(high) !== "upper") return false;
  const [from, to] = [literalOf(low), literalOf(high)];
  if (from === undefined || to === undefined) return false;
  if (typeof from !== typeof to) return true;
  const open = low.operator === ">" || high.operator === "<";
  return compareOf(open ? ">=" : ">")(from, to) === true;
};

/** Most steps of one check. A pair of leaves that would need more is taken as compatible. */
const maxSteps = 1_000_000;

/** Steps that a regular expression may need for each character of a text: about 100 µs. */
const stepsPerCharacter = 100;

const literalsOf = (leaf: Leaf): readonly Scalar[] => {
  const literal = literalOf(leaf);
  if (literal === undefined) return [];
  return Array.isArray(literal) ? (literal as readonly Scalar[]) : [literal as Scalar]; // narrowed by isArray
};

const charactersOf = (values: readonly Scalar[]): number =>
  values.reduce<number>((all, each) => all + (typeof each === "string" ? each.length : 1), 0);

/** Steps by which two leaves are compared: pairs of values, or of characters where a text is searched in another. */
const stepsOf = (a: Leaf, b: Leaf): number => {
  const [left, right] = [literalsOf(a), literalsOf(b)];
  const operators = new Set([a.operator, b.operator]);
  if (operators.has("=~")) return (charactersOf(left) + charactersOf(right)) * stepsPerCharacter;
  if (operators.has("CONTAINS")) return charactersOf(left) * charactersOf(right);
  return left.length * right.length;
};

const contradicts = (a: Leaf, b: Leaf): boolean => {
  // IS NULL is true of what is absent and of nothing else.
  if (a.operator === "IS NULL" || b.operator === "IS NULL")
    return leafRules[a.operator].trueOfAbsent !== leafRules[b.operator].trueOfAbsent;
  const [values, other] = listedValues(a) === undefined ? [listedValues(b), a] : [listedValues(a), b];
  const literal = literalOf(other);
  if (values === undefined) return leavesNothing(a, b);
  if (literal === undefined || values.length === 0) return false;
  return values.every((value) => compareOf(other.operator)(value, literal) !== true);
};

/** Leaves that must be true together, each AND by itself. */
const groupsOf = (filters: readonly Filter[]): readonly (readonly Leaf[])[] => {
  const conjuncts = filters.flatMap(filterConjuncts);
  const leaves = conjuncts.flatMap((each) => (each.kind === "leaf" ? [each] : []));
  const branches = conjuncts.flatMap((each) =>
    each.kind === "branch" && each.operator === "OR" ? each.operands : [],
  );
  return [leaves, ...branches.flatMap((branch) => groupsOf([branch]))];
};

/**
 * Pairs of leaves of one AND that no value of their attribute makes true together: the later leaf with the earlier.
 *
 * @param possible whether a leaf can be true by itself; the others are left out.
 */
export const contradictions = (
  filters: readonly Filter[],
  possible: (leaf: Leaf) => boolean,
): readonly (readonly [Leaf, Leaf])[] => {
  let steps = 0;
  const isContradiction = (before: Leaf, leaf: Leaf): boolean => {
    const needed = stepsOf(before, leaf);
    if (steps + needed > maxSteps) return false;
    steps += needed;
    return contradicts(before, leaf);
  };
  return groupsOf(filters).flatMap((group) => {
    const leaves = group.filter((leaf) => leaf.compares === "values" && possible(leaf));
    return leaves.flatMap((leaf, index) => {
      const attribute = filterPart(leaf).attribute;
      const other = leaves
        .slice(0, index)
        .find((before) => filterPart(before).attribute === attribute && isContradiction(before, leaf));
      return other === undefined ? [] : [[leaf, other] as const];
    });
  });
};
