import { dimensionNames } from "@ikg/contracts";
import type { ScoreConstants } from "./constants.ts";
import { completeness } from "./completeness.ts";
import { freshness } from "./freshness.ts";
import { origin } from "./origin.ts";
import { roundScore } from "./round.ts";
import type { ScorableNode } from "./scorable.ts";
import { validity } from "./validity.ts";
import { verification } from "./verification.ts";

export type DimensionName = (typeof dimensionNames)[number];

export interface Dimension {
  readonly name: DimensionName;
  /** 0 to 1; with 0 the dimension is stored and does not count. */
  readonly weight: number;
}

/** Everything besides the node that its scores follow from. */
export interface ScoringContext {
  readonly dimensions: readonly Dimension[];
  /** Start of the run, in milliseconds since the epoch. */
  readonly now: number;
  readonly expected: ReadonlySet<string>;
  readonly constants: ScoreConstants;
}

/** Scores with four decimals; what the profile does not name is null. */
export interface Scores {
  readonly final: number | null;
  readonly dimensions: Readonly<Record<DimensionName, number | null>>;
}

const formulas: Readonly<Record<DimensionName, (node: ScorableNode, scoring: ScoringContext) => number>> = {
  VALIDITY: (node, { now, constants }) => validity(node, now, constants),
  VERIFICATION: (node, { now, constants }) => verification(node, now, constants),
  FRESHNESS: (node, { now, constants }) => freshness(node, now, constants),
  ORIGIN: (node, { constants }) => origin(node, constants),
  COMPLETENESS: (node, { expected }) => completeness(node, expected),
};

const none: Scores["dimensions"] = {
  VALIDITY: null,
  VERIFICATION: null,
  FRESHNESS: null,
  ORIGIN: null,
  COMPLETENESS: null,
};

/** Weights times something, in the order of the catalogue: profiles may name their dimensions in any. */
const total = (dimensions: readonly Dimension[], of: (name: DimensionName) => number): number => {
  // By the largest: the smallest numbers there are keep no digits of a product.
  const largest = Math.max(...dimensions.map(({ weight }) => weight));
  let sum = 0;
  for (const name of dimensionNames)
    for (const each of dimensions) if (each.name === name) sum += (each.weight / largest) * of(name);
  return sum;
};

/**
 * Scores one node. The final score is the weighted mean of the rounded dimensions, so that anyone can compute it again
 * from what is stored; null when no dimension has a weight.
 */
export const scoreNode = (node: ScorableNode, scoring: ScoringContext): Scores => {
  const dimensions: Record<DimensionName, number | null> = { ...none };
  for (const { name } of scoring.dimensions) dimensions[name] = roundScore(formulas[name](node, scoring));
  const weights = total(scoring.dimensions, () => 1);
  const sum = total(scoring.dimensions, (name) => dimensions[name] ?? 0);
  return { final: weights > 0 ? roundScore(sum / weights) : null, dimensions };
};
