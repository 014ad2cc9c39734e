import { parse, type Policies, PoliciesQuery } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import { z } from "zod";
import type { Arrivals } from "./arrival.ts";

/** GET /access/v1/policies: what decides in the caller's project (api specification 6.6). */
export const policies = (arrive: Arrivals): Route =>
  route({
    operation: "list_active_policies",
    method: "get",
    path: "/access/v1/policies",
    caller: "agent",
    permission: "ReadAuthZConfigs",
    queryParameters: z.looseObject({}),
    handle: async (input): Promise<Policies> => {
      const { subject_type: type } = parse(PoliciesQuery, input.query, "unprocessable");
      const { view } = await arrive(input);
      return {
        results: view
          .kbacPolicies()
          .filter(({ policy }) => type === undefined || policy.subjectType === type)
          // Checked when it was saved, so it is JSON of an object.
          .map(({ text, tags }) => ({ policy: JSON.parse(text) as Record<string, unknown>, tags })),
      };
    },
  });
