import { isJsonObject } from "@ikg/contracts/values";
import { compareInstants, type Instant, instantOf } from "../instants/instant.ts";
import { distinctByJson, type JsonObject } from "../json.ts";
import { patternOf } from "../regex/pattern.ts";
import { compareText } from "../texts/order.ts";
import type { BoundValues } from "../values/bind.ts";
import { formKey, referenceKey } from "../values/reference.ts";
import { valuesName } from "../values/row-keys.ts";
import { leavesOf, readsToken, type Advice, type Filter, type Leaf, type Operand } from "./filter.ts";
import type { LeafOperator } from "./leaf-operators.ts";

/** Three-valued logic: true, false, unknown. A row or decision passes only on true. */
export type Truth = boolean | null;

export const not = (operand: Truth): Truth => (operand === null ? null : !operand);

const allEqual = (a: readonly unknown[], b: readonly unknown[]): Truth => {
  let truth: Truth = true;
  for (let i = 0; i < a.length; i++) {
    const each = equal(a[i] ?? null, b[i] ?? null);
    if (each === false) return false;
    if (each === null) truth = null;
  }
  return truth;
};

const mapsEqual = (a: JsonObject, b: JsonObject): Truth => {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return false;
  return allEqual(
    keys.map((key) => a[key]),
    keys.map((key) => b[key]),
  );
};

const equal = (a: unknown, b: unknown): Truth => {
  if (a === null || b === null) return null;
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && allEqual(a, b);
  return isJsonObject(a) && isJsonObject(b) && mapsEqual(a, b);
};

/** The sign of the difference; null for kinds that have no order between them. */
const order = (a: unknown, b: unknown): number | null => {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "string" && typeof b === "string" ? compareText(a, b) : null;
};

const membership = (element: unknown, list: readonly unknown[]): Truth => {
  let truth: Truth = false;
  for (const each of list) {
    const same = equal(element, each ?? null);
    if (same === true) return true;
    if (same === null) truth = null;
  }
  return truth;
};

/** The truth of `a operator b`; null is an absent value. */
type Compare = (a: unknown, b: unknown) => Truth;

const ordered =
  (test: (difference: number) => boolean): Compare =>
  (a, b) => {
    const difference = order(a, b);
    return difference === null ? null : test(difference);
  };

const ofTexts =
  (test: (a: string, b: string) => Truth): Compare =>
  (a, b) =>
    typeof a === "string" && typeof b === "string" ? test(a, b) : null;

const contains = ofTexts((text, part) => text.includes(part));

/** Has the same truth as what `print.ts` prints: `npm test -- filters.long` compares them on the database. */
const comparisons: Readonly<Record<LeafOperator, Compare>> = {
  "=": equal,
  "<>": (a, b) => not(equal(a, b)),
  ">": ordered((difference) => difference > 0),
  ">=": ordered((difference) => difference >= 0),
  "<": ordered((difference) => difference < 0),
  "<=": ordered((difference) => difference <= 0),
  CONTAINS: (a, b) => (Array.isArray(a) && b !== null ? membership(b, a) : contains(a, b)),
  "STARTS WITH": ofTexts((text, part) => text.startsWith(part)),
  "ENDS WITH": ofTexts((text, part) => text.endsWith(part)),
  "=~": ofTexts((text, pattern) => patternOf(pattern)?.fits(text) ?? null),
  IN: (a, b) => (a !== null && Array.isArray(b) ? membership(a, b) : null),
  "IS NULL": (a) => a === null,
  "IS NOT NULL": (a) => a !== null,
};

/** What an operator does with two values. */
export const compareOf = (operator: LeafOperator): Compare => comparisons[operator];

/** A leaf that kept a filter from being true, with the nearest advice around it. */
export interface FailingLeaf {
  readonly leaf: Leaf;
  /** Below an odd number of NOT: the leaf would have to be false. */
  readonly isNegated: boolean;
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

type Read = (values: BoundValues) => unknown;

/** Reads one operand; what does not depend on the request is made once. */
const reader = (operand: Operand | undefined, instants: boolean): Read => {
  if (operand === undefined) return () => null;
  if (operand.kind === "literal") {
    const value = instants ? instantOf(operand.value) : operand.value;
    return () => value;
  }
  if (operand.kind !== "reference")
    throw new Error("a filter that reads the graph is not evaluated in memory");
  const { reference } = operand;
  if (reference.kind === "absent") return () => null;
  if (reference.kind === "application")
    return (values) => (instants ? instantOf(values.application) : values.application);
  const name = valuesName[reference.kind];
  const key = instants ? formKey(reference, "instant") : referenceKey(reference);
  return (values) => values[name][key] ?? null;
};

/** A filter with what evaluates it. */
interface Evaluator {
  readonly filter: Filter;
  readonly truth: (values: BoundValues) => Truth;
  readonly operands: readonly Evaluator[];
}

const instantOrder =
  (compare: Compare): Compare =>
  (a, b) =>
    // Both are instants or null: `reader` made them so.
    a === null || b === null ? null : compare(compareInstants(a as Instant, b as Instant), 0);

const leafTruth = (leaf: Leaf): Evaluator["truth"] => {
  const instants = leaf.compares === "instants";
  const attribute = reader(leaf.attribute, instants);
  const value = reader(leaf.value, instants);
  const plain = compareOf(leaf.operator);
  const compare = instants ? instantOrder(plain) : plain;
  const truth = (values: BoundValues): Truth => compare(attribute(values), value(values));
  // Unknown rather than false without a token, so that NOT over it cannot become true.
  return readsToken(leaf) ? (values) => (values.hasToken ? truth(values) : null) : truth;
};

/** `beats` is the truth that decides at once: false under AND, true under OR. */
const branchTruth =
  (operands: readonly Evaluator[], beats: boolean): Evaluator["truth"] =>
  (values) => {
    let truth: Truth = !beats;
    for (const operand of operands) {
      const each = operand.truth(values);
      if (each === beats) return beats;
      if (each === null) truth = null;
    }
    return truth;
  };

const buildEvaluator = (filter: Filter): Evaluator => {
  if (filter.kind === "leaf") return { filter, truth: leafTruth(filter), operands: [] };
  const operands = filter.operands.map(buildEvaluator);
  const [first] = operands;
  if (filter.operator === "NOT") {
    return { filter, truth: (values) => not(first?.truth(values) ?? null), operands };
  }
  return { filter, truth: branchTruth(operands, filter.operator === "OR"), operands };
};

/** Evaluators live as long as their filters. */
const evaluators = new WeakMap<Filter, Evaluator>();

const evaluatorFor = (filter: Filter): Evaluator => {
  const cached = evaluators.get(filter);
  if (cached !== undefined) return cached;
  const evaluator = buildEvaluator(filter);
  evaluators.set(filter, evaluator);
  return evaluator;
};

/**
 * Collects what keeps a filter from being `expected`: leaves under AND that are not true, all
 * leaves under a failed OR; under a NOT it is the other way round. The advice of a branch counts when it is not true.
 */
const collect = (
  { filter, truth, operands }: Evaluator,
  expected: boolean,
  values: BoundValues,
  inherited: Advice | undefined,
  failing: FailingLeaf[],
  advice: Advice[],
): void => {
  if (filter.kind === "leaf") {
    if (filter.advice !== undefined) advice.push(filter.advice);
    failing.push({ leaf: filter, isNegated: !expected, advice: filter.advice, inherited });
    return;
  }
  const own = truth(values) === true ? undefined : filter.advice;
  if (own !== undefined) advice.push(own);
  const inner = filter.operator === "NOT" ? !expected : expected;
  // One operand that is not as expected is enough to fail an AND, and under a NOT an OR.
  const selective = filter.operator === (expected ? "AND" : "OR");
  for (const operand of operands)
    if (!selective || operand.truth(values) !== expected)
      collect(operand, inner, values, own ?? inherited, failing, advice);
};

const passed: FilterOutcome = { truth: true, failing: [], advice: [], tokenMissing: false };

/** Evaluates a filter that reads no graph: KBAC `condition.filter` and CIQ `token_filter`. */
export const evaluateFilter = (filter: Filter, values: BoundValues): FilterOutcome => {
  const evaluator = evaluatorFor(filter);
  const truth = evaluator.truth(values);
  if (truth === true) return passed;
  const failing: FailingLeaf[] = [];
  const advice: Advice[] = [];
  collect(evaluator, true, values, undefined, failing, advice);
  return {
    truth,
    failing,
    advice: distinctByJson(advice),
    tokenMissing: !values.hasToken && failing.some(({ leaf }) => readsToken(leaf)),
  };
};

/** What each leaf of such a filter is by itself, in document order. */
export const evaluateLeaves = (
  filter: Filter,
  values: BoundValues,
): readonly { readonly leaf: Leaf; readonly truth: Truth }[] =>
  leavesOf(filter).map((leaf) => ({ leaf, truth: evaluatorFor(leaf).truth(values) }));
