import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { Decision } from "@ikg/contracts";
import { DataFault, type Graph, type Row, type StatementClass, type StatementOptions } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { bindRow, type Inputs } from "@ikg/policy-core";
import type { DecisionOptions } from "@ikg/policy-core/statements";
import { refusedValues, unanswered } from "./answered.ts";
import { inputsOf, type Question, tagged, prefilter, type Prefiltered } from "./candidates.ts";
import type { Place } from "./place.ts";
import { type PreparedDecision, preparedDecisions } from "./statements.ts";
import { requireOwnSubject } from "./subject-match.ts";
import { assertAllEvaluated } from "./assert-evaluated.ts";

/** A question whose both ends are named. */
export type Evaluation = Question & {
  readonly subject: { readonly id: string };
  readonly resource: { readonly id: string };
};

export interface DecideOptions extends StatementOptions {
  /** Class of its statements; a search decides as `query`. */
  readonly statementClass?: StatementClass;
  /** Told how long each statement of the decision was waited for. */
  readonly onAsked?: (ms: number) => void;
  /** Told of the policy that grants, before the decision resolves. */
  readonly onGrant?: ((by: StoredKbacPolicy) => void) | undefined;
}

export type Decide = (
  view: ProjectSnapshot,
  evaluation: Evaluation,
  options: DecideOptions,
) => Promise<Decision>;

const deny = (weighed: Prefiltered): Decision => {
  if (weighed.advice.length === 0 && !weighed.tokenMissing) return { decision: false };
  const reason =
    weighed.advice.length === 0 ? "the policy needs a bearer token" : "policy filter not satisfied";
  return {
    decision: false,
    context: { reason, ...(weighed.advice.length === 0 ? {} : { advice: [...weighed.advice] }) },
  };
};

/** What a statement of decisions takes for one request. */
const rowOf = (
  prepared: PreparedDecision,
  participants: ReadonlySet<StoredKbacPolicy>,
  ends: { readonly s: string; readonly r: string },
  inputs: Inputs,
): Record<string, unknown> => {
  const row: Record<string, unknown> = { ...ends, ...bindRow(prepared.needs, inputs) };
  prepared.candidates.forEach((candidate, index) => {
    row[`c${index}`] = participants.has(candidate);
  });
  return row;
};

/**
 * Decides one request against every ACTIVE KBAC policy of the project that names its types and action.
 *
 * @returns `decision: true` as soon as one candidate grants; candidates are alternatives, there is no deny policy.
 * @throws Problem "input_param_missing" (422) when nothing granted and a candidate lacked a parameter;
 *   "unprocessable" (422) when its location cannot be resolved; "subject_mismatch" (403); "unavailable" (503) without the graph or past the time limit.
 */
export const openDecide = (graph: Graph, switches: DecisionOptions = {}): Decide => {
  const prepared = preparedDecisions(switches);

  return async (view, evaluation, { onGrant, statementClass, ...options }) => {
    const { project } = view;
    const { subject, resource, action } = evaluation;
    // Statements are kept by this list; tags only say who of it takes part.
    const candidates = view.kbacCandidates(subject.type, action.name, resource.type);
    const asked = tagged(candidates, evaluation);
    if (asked.length === 0) return { decision: false };
    requireOwnSubject(asked, evaluation);
    const inputs = inputsOf(evaluation);
    const weighed = prefilter(asked, inputs, project.composite);
    const participants = new Set(weighed.participants);

    const ends = {
      s: nodeKey(project.pk, subject.type, subject.id),
      r: nodeKey(project.pk, resource.type, resource.id),
    };
    const ask = async (
      decision: PreparedDecision,
      taking: ReadonlySet<StoredKbacPolicy>,
      place?: Place,
    ): Promise<boolean> => {
      const { text, form } = decision.statement;
      const database = graph.of(project, place?.part, statementClass);
      const question = { ...rowOf(decision, taking, ends, inputs), ...(place && { g: place.graphs }) };
      const since = performance.now();
      let row: Row | undefined;
      try {
        row =
          form === "row"
            ? await database.readRow(text, question, options)
            : (await database.read(text, { __row: question }, options))[0];
      } catch (error) {
        throw unanswered(error);
      } finally {
        options.onAsked?.(performance.now() - since);
      }
      // The place of the candidate that grants, or -1.
      const granted = row?.["granted"];
      if (typeof granted !== "number" || granted < 0) return false;
      const by = decision.candidates[granted];
      if (by !== undefined) onGrant?.(by);
      return true;
    };
    const decisions = prepared(candidates, project.pk);
    /** Asks several candidates by one statement; when that fails each by itself, so that a grant still wins. */
    const askTogether = (decision: PreparedDecision): Promise<boolean> => {
      const together = decision.candidates.filter((candidate) => participants.has(candidate));
      if (together.length === 0) return denied;
      const joint = ask(decision, participants);
      if (together.length === 1) return joint;
      return joint.catch((error: unknown) => {
        if (!(error instanceof DataFault)) throw error;
        return grantOrFail(
          together.map((candidate) => () => ask(decisions.single(candidate), new Set([candidate]))),
        );
      });
    };

    const here = [...(decisions.joint === undefined ? [] : [decisions.joint]), ...decisions.alone];
    const asks = [
      ...here.map((decision) => () => askTogether(decision)),
      ...[...weighed.places].map(([candidate, place]) => () => {
        const decision =
          place.part === "composite" ? decisions.across(candidate) : decisions.single(candidate);
        return ask(decision, new Set([candidate]), place);
      }),
    ];
    if (await grantOrFail(asks)) return { decision: true };
    assertAllEvaluated(weighed);
    return deny(weighed);
  };
};

const denied = Promise.resolve(false);

/** True when one of them is; a failure counts only when none is. */
const grantOrFail = async (asks: readonly (() => Promise<boolean>)[]): Promise<boolean> => {
  let failure: unknown;
  for (const ask of asks) {
    try {
      if (await ask()) return true;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw refusedValues(failure);
  return false;
};
