import type { ErrorEnvelope } from "@ikg/contracts";
import { configs } from "./configs.ts";
import { freshName } from "./fresh-name.ts";
import { must } from "./must.ts";
import type { Answer } from "./send.ts";

const faultsOf = (answer: Answer): readonly string[] =>
  answer.status === 200 ? [] : (must<ErrorEnvelope>(answer, 422).errors ?? []);

/** The faults for which this policy could not be saved ACTIVE; none: it could. */
export const policyFaults = async (projectId: string, policy: object | string): Promise<readonly string[]> =>
  faultsOf(
    await configs("/authorization-policies/validate", {
      json: {
        project_id: projectId,
        name: freshName("policy"),
        policy: typeof policy === "string" ? policy : JSON.stringify(policy),
        status: "ACTIVE",
      },
    }),
  );

/** The faults for which this query could not be saved ACTIVE; none: it could. */
export const queryFaults = async (
  projectId: string,
  policyId: string,
  query: object,
): Promise<readonly string[]> =>
  faultsOf(
    await configs("/knowledge-queries/validate", {
      json: {
        project_id: projectId,
        name: freshName("query"),
        policy_id: policyId,
        query: JSON.stringify(query),
        status: "ACTIVE",
      },
    }),
  );
