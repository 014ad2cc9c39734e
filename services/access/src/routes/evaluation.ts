import { EvaluationRequest } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { Decide } from "../decisions/decide.ts";
import type { Arrivals } from "./arrival.ts";

/** POST /access/v1/evaluation: may this subject do this action on this resource? AuthZEN 1.0, section 6. */
export const evaluation = (decide: Decide, arrive: Arrivals): Route =>
  route({
    operation: "evaluate",
    method: "post",
    path: "/access/v1/evaluation",
    caller: "agent",
    permission: "Authorization",
    request: EvaluationRequest,
    handle: async (input) => {
      const { view, token, options } = await arrive(input);
      const { subject, resource, action, context } = input.body;
      return decide(view, { subject, resource, action, context, token }, options);
    },
  });
