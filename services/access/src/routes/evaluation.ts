import { EvaluationRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { Decide } from "../decisions/decide.ts";
import type { ResolveRequest } from "../requests/request-context.ts";
import { question } from "../requests/question.ts";

/** POST /access/v1/evaluation: may this subject do this action on this resource? AuthZEN 1.0, section 6. */
export const evaluation = (decide: Decide, resolveRequest: ResolveRequest): Route =>
  question(
    "evaluate",
    "/evaluation",
    EvaluationRequest,
    resolveRequest,
    ({ snapshot, token, options, explain }, body, onGrant) => {
      const { subject, resource, action, context } = body;
      return decide(
        snapshot,
        { subject, resource, action, context, token },
        { ...options, explain, onGrant },
      );
    },
  );
