import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { Decision } from "@ikg/contracts";
import {
  DataFault,
  type Graph,
  type Row,
  type StatementClass,
  type StatementOptions,
  StatementTimeout,
} from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { bindRow, type Inputs } from "@ikg/policy-core";
import { candidateKey, type DecisionSwitches, requestKeys } from "@ikg/policy-core/statements";
import { requireEvaluated } from "./require-evaluated.ts";
import {
  candidatesOf,
  inputsOf,
  type Question,
  selectTagged,
  prefilter,
  type Prefiltered,
} from "./candidates.ts";
import type { DatabaseTarget } from "./database-target.ts";
import { dataFaultAsUnprocessable, decisionTimeoutAsUnavailable } from "./statement-errors.ts";
import { type PreparedDecision, type PreparedDecisions, openPreparedDecisions } from "./statements.ts";
import { requireOwnSubject } from "./subject-match.ts";

/** A question that names both its subject and its resource. */
export type Evaluation = Question & {
  readonly subject: { readonly id: string };
  readonly resource: { readonly id: string };
};

/** Called with the policy that grants, before the decision resolves. */
export type OnGrant = (policy: StoredKbacPolicy) => void;

/** `timeoutMs` is the limit of all statements of a decision together. */
export interface DecideOptions extends StatementOptions {
  /** Class of its statements; a search decides as `query`. */
  readonly statementClass?: StatementClass;
  /** Called after each statement with the milliseconds that it took. */
  readonly onStatement?: (ms: number) => void;
  readonly onGrant?: OnGrant | undefined;
}

export type Decide = (
  snapshot: ProjectSnapshot,
  evaluation: Evaluation,
  options: DecideOptions,
) => Promise<Decision>;

const deny = ({ advice, tokenMissing }: Prefiltered): Decision => {
  if (advice.length === 0 && !tokenMissing) return { decision: false };
  if (advice.length === 0)
    return {
      decision: false,
      context: { reason: "a policy filter reads the bearer token, and none was sent" },
    };
  return { decision: false, context: { reason: "policy filter not satisfied", advice: [...advice] } };
};

/** Keys of the two nodes that a decision is about, under the names that its statements have for them. */
export const endKeys = ({ pk }: CatalogProject, { subject, resource }: Evaluation) => ({
  [requestKeys.subject]: nodeKey(pk, subject.type, subject.id),
  [requestKeys.resource]: nodeKey(pk, resource.type, resource.id),
});

/** What all statements of one decision have in common. */
interface DecisionContext {
  readonly graph: Graph;
  readonly project: CatalogProject;
  readonly ends: ReturnType<typeof endKeys>;
  readonly inputs: Inputs;
  readonly options: DecideOptions;
  /** In the time base of `performance.now()`. */
  readonly deadline: number;
}

/** The parameters of a statement; the keys of the candidates say which of them participate. */
const parametersOf = (
  { ends, inputs }: DecisionContext,
  { needs, candidates }: PreparedDecision,
  participants: ReadonlySet<StoredKbacPolicy>,
): Row => {
  const row: Record<string, unknown> = { ...ends, ...bindRow(needs, inputs) };
  candidates.forEach((candidate, index) => {
    row[candidateKey(index)] = participants.has(candidate);
  });
  return row;
};

/** Runs one statement. @returns whether one of the participants grants */
const runDecision = async (
  context: DecisionContext,
  prepared: PreparedDecision,
  participants: ReadonlySet<StoredKbacPolicy>,
  target?: DatabaseTarget,
): Promise<boolean> => {
  const { graph, project, options, deadline } = context;
  const { onGrant, onStatement, statementClass, ...rest } = options;
  const { text, rowSource } = prepared.statement;
  const database = graph.of(project, target?.databasePart, statementClass);
  const parameters = {
    ...parametersOf(context, prepared, participants),
    ...(target && { [requestKeys.graphs]: target.graphs }),
  };
  const started = performance.now();
  const timeoutMs = deadline - started;
  if (timeoutMs <= 0) throw decisionTimeoutAsUnavailable(new StatementTimeout(options.timeoutMs));
  const limits = { ...rest, timeoutMs };
  let row: Row | undefined;
  try {
    row =
      rowSource === "row"
        ? await database.readRow(text, parameters, limits)
        : (await database.read(text, { __row: parameters }, limits))[0];
  } catch (error) {
    throw decisionTimeoutAsUnavailable(error);
  } finally {
    onStatement?.(performance.now() - started);
  }
  // The index of the first candidate that grants, or -1.
  const grantingIndex = row?.["granted_by"];
  if (typeof grantingIndex !== "number" || grantingIndex < 0) return false;
  const policy = prepared.candidates[grantingIndex];
  // Fails closed: nothing is granted by a policy that cannot be named.
  if (policy === undefined) throw new Error(`the statement has no candidate ${grantingIndex}`);
  onGrant?.(policy);
  return true;
};

/**
 * Runs the participants of one statement on the project's own database. If a statement of several candidates fails, each
 * participant runs by itself: a grant still wins, and an error in one candidate does not affect the others.
 */
const runLocal = async (
  context: DecisionContext,
  prepared: PreparedDecision,
  participants: ReadonlySet<StoredKbacPolicy>,
  ofCandidate: PreparedDecisions["ofCandidate"],
): Promise<boolean> => {
  const participating = prepared.candidates.filter((candidate) => participants.has(candidate));
  if (participating.length === 0) return false;
  try {
    return await runDecision(context, prepared, participants);
  } catch (error) {
    if (prepared.candidates.length === 1 || !(error instanceof DataFault)) throw error;
  }
  return anyGrants(
    participating.map(
      (candidate) => () => runDecision(context, ofCandidate(candidate), new Set([candidate])),
    ),
  );
};

/** Runs one candidate where its `USE` clause says. */
const runAtTarget = (
  context: DecisionContext,
  candidate: StoredKbacPolicy,
  target: DatabaseTarget,
  { ofCandidateWithUse, ofCandidate }: PreparedDecisions,
): Promise<boolean> => {
  const prepared =
    target.databasePart === "composite" ? ofCandidateWithUse(candidate) : ofCandidate(candidate);
  return runDecision(context, prepared, new Set([candidate]), target);
};

/** Runs the attempts in order until one grants; a failure counts only when none does. */
const anyGrants = async (attempts: readonly (() => Promise<boolean>)[]): Promise<boolean> => {
  let failure: unknown;
  for (const attempt of attempts) {
    try {
      if (await attempt()) return true;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw dataFaultAsUnprocessable(failure);
  return false;
};

/**
 * Decides one request against every ACTIVE KBAC policy of the project that names its types and action.
 *
 * @returns `decision: true` as soon as one candidate grants; candidates are alternatives, there is no deny policy.
 * @throws Problem "input_param_missing" (422) when nothing granted and a candidate lacked a parameter;
 *   "unprocessable" (422) when a candidate's location cannot be resolved, or the database cannot evaluate it on a value;
 *   "subject_mismatch" (403); "unavailable" (503) without the graph or past the time limit.
 */
export const openDecide = (graph: Graph, switches: DecisionSwitches = {}): Decide => {
  const prepareDecisions = openPreparedDecisions(switches);

  return async (snapshot, evaluation, options) => {
    const deadline = performance.now() + options.timeoutMs;
    const { project } = snapshot;
    // Statements are cached by this list; tags only select which of its candidates take part.
    const candidates = candidatesOf(snapshot, evaluation);
    const tagged = selectTagged(candidates, evaluation);
    if (tagged.length === 0) return { decision: false };
    requireOwnSubject(tagged, evaluation);

    const inputs = inputsOf(evaluation);
    const prefiltered = prefilter(tagged, inputs, project.composite);
    const participants = new Set(prefiltered.participants);
    const context = { graph, project, ends: endKeys(project, evaluation), inputs, options, deadline };

    const decisions = prepareDecisions(candidates, project.pk);
    const isGranted = await anyGrants([
      ...decisions.local.map((each) => () => runLocal(context, each, participants, decisions.ofCandidate)),
      ...[...prefiltered.databaseTargets].map(
        ([candidate, target]) =>
          () =>
            runAtTarget(context, candidate, target, decisions),
      ),
    ]);
    if (isGranted) return { decision: true };
    requireEvaluated(prefiltered);
    return deny(prefiltered);
  };
};
