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
  /**
   * Those on the project's own database, to be tried in this order: candidates that can be decided for many requests at
   * once stand together, the others each alone.
   */
  readonly local: readonly PreparedDecision[];
  /** One candidate by itself: for splitting a failed statement, and for another database than the project's own. */
  readonly ofCandidate: (candidate: StoredKbacPolicy) => PreparedDecision;
  /** One candidate by itself, with its USE, for a composite database. */
  readonly ofCandidateWithUse: (candidate: StoredKbacPolicy) => PreparedDecision;
}

/**
 * Candidates by how large the values of a request may be for them, which is mostly the same for all. Those of a statement
 * share its values, and a value that is too large for one of them may be read by another.
 */
const bySizes = (candidates: readonly StoredKbacPolicy[]): readonly (readonly StoredKbacPolicy[])[] => [
  ...Map.groupBy(candidates, ({ policy }) => policy.condition.analysis.report.needs.sizes).values(),
];

const prepareAll = (
  candidates: readonly StoredKbacPolicy[],
  pk: ProjectKey,
  switches: DecisionSwitches,
): PreparedDecisions => {
  // A policy with a `USE` clause may be evaluated elsewhere with every request.
  const local = candidates.filter(({ policy }) => !isRouted(policy.targets));
  const batchable = local.filter(({ policy }) => isBatchable(policy));
  const unbatchable = local.filter(({ policy }) => !isBatchable(policy));
  return {
    local: [
      ...bySizes(batchable).map((group) => prepare(group, pk, "row", switches)),
      ...unbatchable.map((candidate) => prepare([candidate], pk, "plain", switches)),
    ],
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
