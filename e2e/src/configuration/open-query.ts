import type { ResultRow } from "@ikg/contracts";
import { execute, type Execution, tryExecute } from "../requests/execute.ts";
import type { Answer } from "../requests/send.ts";
import { storePolicy } from "./save-policy.ts";
import { saveQuery } from "./save-query.ts";
import type { Tenant } from "./tenant.ts";

/** What one execution brings besides its query; `bearer` undefined sends none. */
export type Asking = Omit<Execution, "id"> & { readonly bearer?: string | undefined };

/** A saved query that a test runs. */
export interface OpenQuery {
  readonly id: string;
  readonly policyId: string;
  /** Whatever comes back. */
  ask(asking?: Asking): Promise<Answer>;
  /** The rows of an execution that must succeed. */
  rows(asking?: Asking): Promise<readonly ResultRow[]>;
}

/** One more query of a saved policy. */
export const openQueryOf = async (tenant: Tenant, policyId: string, query: object): Promise<OpenQuery> => {
  const id = await saveQuery(tenant.projectId, { policyId, query });
  const { key } = tenant;
  return {
    id,
    policyId,
    ask: ({ bearer, ...execution } = {}) => tryExecute({ ...execution, id }, { key, bearer }),
    rows: ({ bearer, ...execution } = {}) => execute({ ...execution, id }, { key, bearer }),
  };
};

/** The JSON of a CIQ policy. */
export const ciqPolicy = (policy: object): object => ({ meta: { policy_version: "1.0-ciq" }, ...policy });

/** Saves a CIQ policy and one query of it. */
export const openQuery = async (tenant: Tenant, policy: object, query: object): Promise<OpenQuery> =>
  openQueryOf(tenant, await storePolicy(tenant.projectId, { policy: ciqPolicy(policy) }), query);
