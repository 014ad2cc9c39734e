import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { Decision } from "@ikg/contracts";
import type { Decide, DecideOptions, Evaluation } from "./decide.ts";
import type { Explain } from "./explain.ts";

export interface ExplainableDecideOptions extends DecideOptions {
  /** Adds an explanation to the decision. */
  readonly explain?: boolean;
}

/** Decides as `Decide` does, and explains on request. */
export type ExplainableDecide = (
  snapshot: ProjectSnapshot,
  evaluation: Evaluation,
  options: ExplainableDecideOptions,
) => Promise<Decision>;

/** Explains the decisions whose caller asks for it; an explanation changes nothing of the decision. */
export const withExplanation =
  (explain: Explain) =>
  (decide: Decide): ExplainableDecide =>
  async (snapshot, evaluation, { explain: isWanted, ...options }) => {
    if (!isWanted) return decide(snapshot, evaluation, options);
    const { onGrant, ...statementOptions } = options;
    const grant: { policy?: StoredKbacPolicy } = {};
    const decision = await decide(snapshot, evaluation, {
      ...statementOptions,
      onGrant: (policy) => {
        grant.policy = policy;
        onGrant?.(policy);
      },
    });
    const explanation = await explain(snapshot, evaluation, statementOptions, grant.policy);
    return { ...decision, context: { ...decision.context, explanation } };
  };
