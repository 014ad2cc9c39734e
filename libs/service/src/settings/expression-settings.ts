import { z } from "zod";
import { integer } from "./settings.ts";

const mebibyte = 1024 * 1024;

/** What one expression of a policy or query may need in the database, for one row. */
export const ExpressionSettings = z.object({
  EXPRESSION_MEMORY_BYTES: integer(
    mebibyte,
    16 * 1024 * mebibyte,
    64 * mebibyte,
    "Bytes that an expression of a policy or query may hold at once; one that may need more is refused when it is saved.",
  ),
  EXPRESSION_STEPS: integer(
    10_000,
    10_000_000_000,
    10_000_000,
    "Steps that the expressions of a policy may take for one row, ten million being about a second; one that may take more is refused when it is saved.",
  ),
});

/** The budget of the policy language that these settings state. */
export const expressionBudget = (
  settings: z.output<typeof ExpressionSettings>,
): { readonly memoryBytes: number; readonly steps: number } => ({
  memoryBytes: settings.EXPRESSION_MEMORY_BYTES,
  steps: settings.EXPRESSION_STEPS,
});
