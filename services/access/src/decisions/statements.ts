import type { StoredKbacPolicy } from "@ikg/catalog";
import type { ProjectKey } from "@ikg/physical";
import { type Needs, needsOf } from "@ikg/policy-core";
import {
  decideStatement,
  type DecideStatement,
  type DecisionOptions,
  isRowable,
} from "@ikg/policy-core/statements";

/** A decision statement with what it reads and whom it decides for. */
export interface PreparedDecision {
  readonly statement: DecideStatement;
  readonly needs: Needs;
  readonly candidates: readonly StoredKbacPolicy[];
}

const prepare = (
  candidates: readonly StoredKbacPolicy[],
  pk: ProjectKey,
  form: "row" | "plain",
  options: DecisionOptions,
): PreparedDecision => ({
  statement: decideStatement(
    candidates.map(({ policy }) => policy),
    pk,
    form,
    options,
  ),
  needs: needsOf(...candidates.map(({ policy }) => policy.condition.analysis.report.needs)),
  candidates,
});

/** Every decision statement of one set of candidates. */
export interface PreparedDecisions {
  /** All candidates that can be decided for many requests at once; undefined when there are none. */
  readonly joint: PreparedDecision | undefined;
  /** The others, each alone. */
  readonly alone: readonly PreparedDecision[];
  /** One candidate by itself, for taking a failed statement apart. */
  single(candidate: StoredKbacPolicy): PreparedDecision;
}

const prepareAll = (
  candidates: readonly StoredKbacPolicy[],
  pk: ProjectKey,
  options: DecisionOptions,
): PreparedDecisions => {
  const rowable = candidates.filter(({ policy }) => isRowable(policy));
  return {
    joint: rowable.length === 0 ? undefined : prepare(rowable, pk, "row", options),
    alone: candidates
      .filter(({ policy }) => !isRowable(policy))
      .map((candidate) => prepare([candidate], pk, "plain", options)),
    single: (candidate) => prepare([candidate], pk, isRowable(candidate.policy) ? "row" : "plain", options),
  };
};

/**
 * Statements of candidates, made once for each list that the catalog hands out: a list lives exactly as long as
 * the catalog's view of the project, so nothing has to be invalidated here.
 */
export const preparedDecisions = (
  options: DecisionOptions,
): ((candidates: readonly StoredKbacPolicy[], pk: ProjectKey) => PreparedDecisions) => {
  const known = new WeakMap<readonly StoredKbacPolicy[], PreparedDecisions>();
  return (candidates, pk) => {
    const found = known.get(candidates);
    if (found !== undefined) return found;
    const made = prepareAll(candidates, pk, options);
    known.set(candidates, made);
    return made;
  };
};
