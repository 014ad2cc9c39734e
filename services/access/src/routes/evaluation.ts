import { EvaluationRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { ExplainableDecide } from "../decisions/with-explanation.ts";
import type { ResolveRequest } from "./question-context.ts";
import { questionRoute } from "./question-route.ts";

/** POST /access/v1/evaluation: may this subject do this action on this resource? AuthZEN 1.0, section 6. */
export const evaluation = (decide: ExplainableDecide, resolveRequest: ResolveRequest): Route =>
  questionRoute(
    "evaluate",
    "/evaluation",
    EvaluationRequest,
    resolveRequest,
    ({ snapshot, token, options, explain }, body, recordGrant) => {
      const { subject, resource, action, context } = body;
      return decide(
        snapshot,
        { subject, resource, action, context, token },
        { ...options, explain, onGrant: recordGrant },
      );
    },
  );
