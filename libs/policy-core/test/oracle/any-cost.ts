import type { Budget } from "../../src/bounds/budget.ts";

/**
 * Drawn policies are about meaning and run on small values, so what they could cost with the largest ones refuses none of them:
 * `test/bounds` holds that.
 */
export const anyCost: Budget = { memoryBytes: Infinity, steps: Infinity };
