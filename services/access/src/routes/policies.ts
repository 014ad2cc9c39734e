import { parse, PoliciesQuery } from "@ikg/contracts";
import { JsonText, type Route, route } from "@ikg/service";
import { z } from "zod";
import type { ResolveRequest } from "./question-context.ts";

/** GET /access/v1/policies: what decides in the caller's project. */
export const policies = (resolveRequest: ResolveRequest): Route =>
  route({
    operation: "list_active_policies",
    method: "get",
    path: "/access/v1/policies",
    caller: "agent",
    permission: "ReadAuthZConfigs",
    queryParameters: z.looseObject({}),
    // Stored texts are JSON: they were checked when they were saved. All of them together are sent as the caller reads them.
    handle: async (input): Promise<JsonText> => {
      const { subject_type: type } = parse(PoliciesQuery, input.query, "unprocessable");
      const { snapshot } = await resolveRequest(input);
      const results = snapshot
        .kbacPolicies()
        .filter(({ policy }) => type === undefined || policy.subjectType === type)
        .flatMap(({ text, tags }, index) => [
          index === 0 ? '{"policy":' : ',{"policy":',
          text,
          `,"tags":${JSON.stringify(tags)}}`,
        ]);
      return new JsonText(['{"results":[', ...results, "]}"]);
    },
  });
