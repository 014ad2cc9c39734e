import { IkgError } from "@ikg/client";
import { freshName } from "../fresh-name.ts";
import { openAdmin } from "../requests/clients.ts";

/** The errors of a validation; empty if the text is valid. */
const errorsOf = async (validation: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await validation;
    return [];
  } catch (error) {
    if (error instanceof IkgError && error.status === 422) return error.errors;
    throw error;
  }
};

/** The errors that saving this policy as ACTIVE would report; empty if it is valid. */
export const policyErrors = (projectId: string, policy: object | string): Promise<readonly string[]> =>
  errorsOf(
    openAdmin(projectId).policies.validate({
      name: freshName("policy"),
      policy: typeof policy === "string" ? policy : JSON.stringify(policy),
      status: "ACTIVE",
    }),
  );

/** The errors that saving this query as ACTIVE would report; empty if it is valid. */
export const queryErrors = (projectId: string, policyId: string, query: object): Promise<readonly string[]> =>
  errorsOf(
    openAdmin(projectId).queries.validate({
      name: freshName("query"),
      policy_id: policyId,
      query: JSON.stringify(query),
      status: "ACTIVE",
    }),
  );
