import type { Decide } from "./decide.ts";
import type { Explain } from "./explain.ts";

/** Explains the decisions whose caller asks for it; an explanation changes nothing of the decision. */
export const withExplanation =
  (explain: Explain) =>
  (decide: Decide): Decide =>
  async (view, evaluation, { explain: isWanted, ...options }) => {
    const decision = await decide(view, evaluation, options);
    if (!isWanted) return decision;
    const { onGrant: _, ...statements } = options;
    const explanation = await explain(view, evaluation, statements);
    return { ...decision, context: { ...decision.context, explanation } };
  };
