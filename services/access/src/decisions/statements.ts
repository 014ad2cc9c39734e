import type { StoredKbacPolicy } from "@ikg/catalog";
import type { ProjectKey } from "@ikg/physical";
import { isRouted, type RequiredInputs, needsOf } from "@ikg/policy-core";
import {
  compositeDecideStatement,
  decideStatement,
  type DecideStatement,
  type DecisionSwitches,
  isBatchable,
} from "@ikg/policy-core/statements";
import { memoizeByIdentity } from "./memoize-by-identity.ts";

/** A decision statement with the values that it reads and the candidates that it decides. */
export interface PreparedDecision {
  readonly statement: DecideStatement;
  readonly needs: RequiredInputs;
  readonly candidates: readonly StoredKbacPolicy[];
}

const prepare = (
  candidates: readonly StoredKbacPolicy[],
  pk: ProjectKey,
  rowSource: "row" | "plain",
  switches: DecisionSwitches,
): PreparedDecision => ({
  statement: decideStatement(
    candidates.map(({ policy }) => policy),
    pk,
    rowSource,
    switches,
  ),
  needs: needsOf(...candidates.map(({ policy }) => policy.condition.analysis.report.needs)),
  candidates,
});

/** Every decision statement of one set of candidates. */
export interface PreparedDecisions {
  /** All candidates that can be decided for many requests at once; undefined when there are none. */
  readonly batchable: PreparedDecision | undefined;
  /** The others, each alone. */
  readonly unbatchable: readonly PreparedDecision[];
  /** One candidate by itself: for splitting a failed statement, and for another database than the project's own. */
  readonly ofCandidate: (candidate: StoredKbacPolicy) => PreparedDecision;
  /** One candidate by itself, with its USE, for a composite database. */
  readonly ofCandidateWithUse: (candidate: StoredKbacPolicy) => PreparedDecision;
}

const prepareAll = (
  candidates: readonly StoredKbacPolicy[],
  pk: ProjectKey,
  switches: DecisionSwitches,
): PreparedDecisions => {
  // A policy with a `USE` clause may be evaluated elsewhere with every request.
  const local = candidates.filter(({ policy }) => !isRouted(policy.targets));
  const batchable = local.filter(({ policy }) => isBatchable(policy));
  return {
    batchable: batchable.length === 0 ? undefined : prepare(batchable, pk, "row", switches),
    unbatchable: local
      .filter(({ policy }) => !isBatchable(policy))
      .map((candidate) => prepare([candidate], pk, "plain", switches)),
    ofCandidate: memoizeByIdentity((candidate) =>
      prepare([candidate], pk, isBatchable(candidate.policy) ? "row" : "plain", switches),
    ),
    ofCandidateWithUse: memoizeByIdentity((candidate) => {
      const { policy } = candidate;
      return {
        statement: {
          text: compositeDecideStatement(policy, pk, switches),
          rowSource: "plain",
          policies: [policy],
        },
        needs: needsOf(policy.condition.analysis.report.needs),
        candidates: [candidate],
      };
    }),
  };
};

/**
 * Statements of candidates, made once for each list that the catalog hands out: a list lives exactly as long as
 * the catalog's snapshot of the project, so nothing has to be invalidated here.
 */
export const openPreparedDecisions = (
  switches: DecisionSwitches,
): ((candidates: readonly StoredKbacPolicy[], pk: ProjectKey) => PreparedDecisions) =>
  memoizeByIdentity((candidates: readonly StoredKbacPolicy[], pk: ProjectKey) =>
    prepareAll(candidates, pk, switches),
  );
