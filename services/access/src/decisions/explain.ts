import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { CandidateExplanation, Explanation } from "@ikg/contracts";
import type { Graph, StatementOptions } from "@ikg/graph";
import { bindRow, type Inputs } from "@ikg/policy-core";
import {
  type Answer,
  runStatements,
  type DecisionExplanation,
  explainDecision,
  explainFilter,
  type NodeReference,
} from "@ikg/policy-core/explain";
import type { DecisionSwitches } from "@ikg/policy-core/statements";
import {
  candidatesOf,
  type CandidateStatus,
  inputsOf,
  prefilterCandidate,
  selectTagged,
} from "./candidates.ts";
import { endKeys, type Evaluation } from "./decide.ts";

/** Explains a decision that `grantedBy` granted, if any did; it decides nothing itself. */
export type Explain = (
  snapshot: ProjectSnapshot,
  evaluation: Evaluation,
  options: StatementOptions,
  grantedBy?: StoredKbacPolicy,
) => Promise<Explanation>;

/** Called when a statement of an explanation failed, for the log; the outcome of its candidate may then be `unknown`. */
export type OnFailure = (candidate: StoredKbacPolicy, error: unknown, requestId: string | undefined) => void;

/** More candidates are counted and not explained. */
export const maxCandidates = 20;

/** The candidates to explain: the one that granted first, so that neither the limit nor the time leaves it out. */
const explanationOrder = (
  candidates: readonly StoredKbacPolicy[],
  grantedBy: StoredKbacPolicy | undefined,
): readonly StoredKbacPolicy[] => {
  const granting = candidates.filter((candidate) => candidate === grantedBy);
  const rest = candidates.filter((candidate) => candidate !== grantedBy);
  return [...granting, ...rest].slice(0, maxCandidates);
};

type CandidateOutcome = Omit<CandidateExplanation, "policy" | "statements" | "database_hits">;

const versionOf = ({ id, name, version }: StoredKbacPolicy) => ({ id, name, version });

const toNode = ({ type, external_id: id }: NodeReference) => ({ type, id });

/** The outcome of a pattern by the names of the API: whatever keeps it from matching is `pattern_not_matched`. */
const patternOutcome = (explanation: DecisionExplanation): CandidateOutcome => {
  switch (explanation.outcome) {
    case "matched": {
      const { nodes, relationships } = explanation.path;
      const path = {
        nodes: nodes.map(toNode),
        relationships: relationships.map(({ type, source, target }) => ({
          type,
          source: toNode(source),
          target: toNode(target),
        })),
      };
      return { outcome: "granted", path };
    }
    case "ends_missing":
      return { outcome: "pattern_not_matched", missing: explanation.ends };
    case "identity_required":
      return { outcome: "pattern_not_matched", identity_required: true };
    case "pattern_not_matched": {
      const { part, certain } = explanation;
      return { outcome: "pattern_not_matched", part: { ...part, certain } };
    }
    case "unknown":
      return { outcome: "unknown" };
  }
};

/** The outcome of a candidate that never reaches the graph; undefined when the graph decides. */
const prefilterOutcome = ({
  filter,
  missing,
  locationFaults,
}: CandidateStatus): CandidateOutcome | undefined => {
  if (filter !== undefined) {
    const { outcome, part, isNegated, tokenMissing } = explainFilter(filter);
    const negated = isNegated ? { negated: true } : {};
    return { outcome, filter: { ...part, ...negated, token_missing: tokenMissing } };
  }
  if (missing.length > 0) return { outcome: "parameter_missing", parameters: missing };
  if (locationFaults.length > 0) return { outcome: "wrong_location", location: locationFaults };
  return undefined;
};

/** What the explanations of the candidates of one evaluation have in common. */
interface ExplanationRun {
  readonly graph: Graph;
  readonly switches: DecisionSwitches;
  readonly onFailure: OnFailure;
  readonly snapshot: ProjectSnapshot;
  readonly inputs: Inputs;
  readonly ends: ReturnType<typeof endKeys>;
  readonly options: StatementOptions;
  /** Milliseconds that are left for all candidates together. */
  readonly remainingMs: () => number;
}

const explainCandidate = async (
  run: ExplanationRun,
  candidate: StoredKbacPolicy,
): Promise<CandidateExplanation> => {
  const { graph, switches, snapshot, inputs, ends, options, remainingMs } = run;
  const { project } = snapshot;
  const { policy } = candidate;
  let statements = 0;
  let hits = 0;
  const explained = (outcome: CandidateOutcome): CandidateExplanation => ({
    policy: versionOf(candidate),
    ...outcome,
    statements,
    database_hits: hits,
  });
  const status = prefilterCandidate(candidate, inputs, project.composite);
  const prefiltered = prefilterOutcome(status);
  if (prefiltered !== undefined) return explained(prefiltered);
  const databasePart = status.databaseTarget?.databasePart;
  // A text over several databases can be decided where they are joined, and is not split.
  if (databasePart === "composite") return explained({ outcome: "unknown" });
  const database = graph.of(project, databasePart, "query");
  const row = { ...ends, ...bindRow(policy.condition.analysis.report.needs, inputs) };
  const ask = async (text: string): Promise<Answer> => {
    statements++;
    // Half of what is left, so that a slow statement leaves time for the next candidates.
    const timeoutMs = Math.max(1, remainingMs() / 2);
    const onWork = (count: number): void => void (hits += count);
    try {
      return await database.read(text, { __row: row }, { ...options, timeoutMs, onWork });
    } catch (error) {
      options.signal?.throwIfAborted();
      run.onFailure(candidate, error, options.requestId);
      return undefined;
    }
  };
  const explanation = await runStatements(explainDecision(policy, project.pk, switches), ask);
  return explained(patternOutcome(explanation));
};

/**
 * Explains every candidate of an evaluation by itself: its filter and parameters in memory, its pattern by statements of
 * its own that only read. It runs on request, after the decision and independently of it.
 *
 * @throws the signal's reason, and nothing else: a candidate that cannot be explained in time is `unknown`.
 */
export const openExplain =
  (graph: Graph, switches: DecisionSwitches = {}, onFailure: OnFailure = () => undefined): Explain =>
  async (snapshot, evaluation, options, grantedBy) => {
    const started = performance.now();
    const candidates = selectTagged(candidatesOf(snapshot, evaluation), evaluation);
    const inputs = inputsOf(evaluation);
    const ends = endKeys(snapshot.project, evaluation);
    const remainingMs = (): number => options.timeoutMs - (performance.now() - started);
    const run = { graph, switches, onFailure, snapshot, inputs, ends, options, remainingMs };

    const explanations = new Map<StoredKbacPolicy, CandidateExplanation>();
    for (const candidate of explanationOrder(candidates, grantedBy)) {
      if (remainingMs() <= 0) break;
      explanations.set(candidate, await explainCandidate(run, candidate));
    }
    const omitted = candidates.length - explanations.size;
    return {
      ...(grantedBy === undefined ? {} : { granted_by: versionOf(grantedBy) }),
      // Oldest first, as the snapshot lists them.
      candidates: candidates.flatMap((candidate) => explanations.get(candidate) ?? []),
      ...(omitted === 0 ? {} : { omitted }),
      milliseconds: Math.round((performance.now() - started) * 100) / 100,
    };
  };
