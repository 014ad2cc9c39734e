import { EvaluationsRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { EvaluateBatch } from "../decisions/evaluate-batch.ts";
import type { ResolveRequest } from "./question-context.ts";
import { questionRoute } from "./question-route.ts";

/** POST /access/v1/evaluations: many questions at once. AuthZEN 1.0, section 7. */
export const evaluations = (evaluate: EvaluateBatch, resolveRequest: ResolveRequest): Route =>
  questionRoute(
    "evaluate_batch",
    "/evaluations",
    EvaluationsRequest,
    resolveRequest,
    (context, body, recordGrant) => {
      const { snapshot, token, options, explain } = context;
      return evaluate(snapshot, body, token, { ...options, explain, onEntryGrant: recordGrant });
    },
  );
