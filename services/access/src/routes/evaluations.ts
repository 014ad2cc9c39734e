import { EvaluationsRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { EvaluateBatch } from "../decisions/evaluate-batch.ts";
import type { Arrivals } from "./arrival.ts";
import { question } from "./question.ts";

/** POST /access/v1/evaluations: many questions at once. AuthZEN 1.0, section 7. */
export const evaluations = (evaluate: EvaluateBatch, explained: EvaluateBatch, arrive: Arrivals): Route =>
  question("evaluate_batch", "/evaluations", EvaluationsRequest, arrive, (arrival, body, onGrant) => {
    const { view, token, options, explain } = arrival;
    return (explain ? explained : evaluate)(view, body, token, { ...options, onGrant });
  });
