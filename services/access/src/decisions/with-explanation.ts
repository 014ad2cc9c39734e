import type { Decide } from "./decide.ts";
import type { Explain } from "./explain.ts";

/** The same decisions, each with why. */
export const withExplanation =
  (decide: Decide, explain: Explain): Decide =>
  async (view, evaluation, options) => {
    const decision = await decide(view, evaluation, options);
    const { onGrant: _told, ...statements } = options;
    const explanation = await explain(view, evaluation, statements);
    return { ...decision, context: { ...decision.context, explanation } };
  };
