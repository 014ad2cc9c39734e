import type { Decide } from "./decide.ts";
import type { Explain } from "./explain.ts";

/** The same decisions, each with why. */
export const explained =
  (decide: Decide, explain: Explain): Decide =>
  async (...question) => {
    const decision = await decide(...question);
    const explanation = await explain(...question);
    return { ...decision, context: { ...decision.context, explanation } };
  };
