import type { ErrorEnvelope } from "@ikg/contracts";
import { configs } from "./configs.ts";
import { freshName } from "./fresh-name.ts";
import { must } from "./must.ts";
import type { Answer } from "./send.ts";

const errorsOf = (answer: Answer): readonly string[] =>
  answer.status === 200 ? [] : (must<ErrorEnvelope>(answer, 422).errors ?? []);

/** The errors that saving this policy as ACTIVE would report; empty if it is valid. */
export const policyErrors = async (projectId: string, policy: object | string): Promise<readonly string[]> =>
  errorsOf(
    await configs("/authorization-policies/validate", {
      json: {
        project_id: projectId,
        name: freshName("policy"),
        policy: typeof policy === "string" ? policy : JSON.stringify(policy),
        status: "ACTIVE",
      },
    }),
  );

/** The errors that saving this query as ACTIVE would report; empty if it is valid. */
export const queryErrors = async (
  projectId: string,
  policyId: string,
  query: object,
): Promise<readonly string[]> =>
  errorsOf(
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
