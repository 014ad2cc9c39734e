import { EvaluationRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { Decide } from "../decisions/decide.ts";
import type { Arrivals } from "./arrival.ts";
import { question } from "./question.ts";

/** POST /access/v1/evaluation: may this subject do this action on this resource? AuthZEN 1.0, section 6. */
export const evaluation = (decide: Decide, explained: Decide, arrive: Arrivals): Route =>
  question("evaluate", "/evaluation", EvaluationRequest, arrive, (arrival, body, onGrant) => {
    const { view, token, options, explain } = arrival;
    const { subject, resource, action, context } = body;
    return (explain ? explained : decide)(
      view,
      { subject, resource, action, context, token },
      { ...options, onGrant },
    );
  });
