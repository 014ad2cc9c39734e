import { referenceKey, type Reference } from "../values/reference.ts";
import type { BoundValues } from "../values/bind.ts";
import {
  readsToken,
  type Advice,
  type Attribute,
  type Filter,
  type FilterValue,
  type Leaf,
} from "./filter.ts";
import { and, compare, not, or, type Truth } from "./truth.ts";

/** A leaf that kept a filter from being true, with the advice that stands nearest to it. */
export interface FailingLeaf {
  readonly leaf: Leaf;
  /** The leaf's own advice. */
  readonly advice: Advice | undefined;
  /** Advice of the nearest branch around it that has some. */
  readonly inherited: Advice | undefined;
}

export interface FilterOutcome {
  readonly truth: Truth;
  /** In document order; empty when the filter is true. */
  readonly failing: readonly FailingLeaf[];
  /** Advice of failing leaves and branches, in document order, each once. */
  readonly advice: readonly Advice[];
  /** True when a leaf failed because it reads a token and none was sent. */
  readonly tokenMissing: boolean;
}

const valueOf = (reference: Reference, values: BoundValues): unknown => {
  const key = referenceKey(reference);
  switch (reference.kind) {
    case "parameter":
      return values.p[key] ?? null;
    case "token":
      return values.t[key] ?? null;
    case "request":
      return values.q[key] ?? null;
    case "platform":
      return values.f[key] ?? null;
    case "application":
      return values.a;
    case "absent":
      return null;
  }
};

const operandOf = (operand: Attribute | FilterValue | undefined, values: BoundValues): unknown => {
  if (operand === undefined) return null;
  if (operand.kind === "literal") return operand.value;
  if (operand.kind === "reference") return valueOf(operand.reference, values);
  throw new Error("a filter that reads the graph is not evaluated in memory");
};

const leafTruth = (leaf: Leaf, values: BoundValues): Truth =>
  // Unknown rather than false, so that NOT over it cannot become true.
  readsToken(leaf) && !values.ts
    ? null
    : compare(leaf.operator, operandOf(leaf.attribute, values), operandOf(leaf.value, values));

const truthOf = (filter: Filter, values: BoundValues): Truth => {
  if (filter.kind === "leaf") return leafTruth(filter, values);
  const truths = filter.operands.map((operand) => truthOf(operand, values));
  if (filter.operator === "AND") return and(truths);
  return filter.operator === "OR" ? or(truths) : not(truths[0] ?? null);
};

/** Walks what is not true: leaves under AND that are not, all leaves under a failed OR, the leaf under a failed NOT. */
const collect = (
  filter: Filter,
  values: BoundValues,
  inherited: Advice | undefined,
  failing: FailingLeaf[],
  advice: Advice[],
): void => {
  if (filter.advice !== undefined) advice.push(filter.advice);
  if (filter.kind === "leaf") {
    failing.push({ leaf: filter, advice: filter.advice, inherited });
    return;
  }
  for (const operand of filter.operands) {
    if (filter.operator === "AND" && truthOf(operand, values) === true) continue;
    collect(operand, values, filter.advice ?? inherited, failing, advice);
  }
};

const distinct = (advice: readonly Advice[]): readonly Advice[] => [
  ...new Map(advice.map((each) => [JSON.stringify(each), each])).values(),
];

/** Evaluates a filter that reads no graph: KBAC `condition.filter` and CIQ `token_filter`. */
export const evaluateFilter = (filter: Filter, values: BoundValues): FilterOutcome => {
  const truth = truthOf(filter, values);
  if (truth === true) return { truth, failing: [], advice: [], tokenMissing: false };
  const failing: FailingLeaf[] = [];
  const advice: Advice[] = [];
  collect(filter, values, undefined, failing, advice);
  return {
    truth,
    failing,
    advice: distinct(advice),
    tokenMissing: !values.ts && failing.some(({ leaf }) => readsToken(leaf)),
  };
};
