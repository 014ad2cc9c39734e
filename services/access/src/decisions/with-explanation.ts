import type { StoredKbacPolicy } from "@ikg/catalog";
import type { Decide } from "./decide.ts";
import type { Explain } from "./explain.ts";

/** Explains the decisions whose caller asks for it; an explanation changes nothing of the decision. */
export const withExplanation =
  (explain: Explain) =>
  (decide: Decide): Decide =>
  async (snapshot, evaluation, { explain: isWanted, ...options }) => {
    if (!isWanted) return decide(snapshot, evaluation, options);
    const { onGrant, ...statements } = options;
    const granted: { by?: StoredKbacPolicy } = {};
    const decision = await decide(snapshot, evaluation, {
      ...statements,
      onGrant: (by) => {
        granted.by = by;
        onGrant?.(by);
      },
    });
    const explanation = await explain(snapshot, evaluation, statements, granted.by);
    return { ...decision, context: { ...decision.context, explanation } };
  };
