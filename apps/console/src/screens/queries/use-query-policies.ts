import type { AuthorizationPolicyRecord } from "@ikg/client";
import { useMemo } from "react";
import { usePolicies } from "../../queries/use-policies.ts";
import { type Allowed, allowedOf } from "./allowed/allowed.ts";

/** A policy that queries may run under. */
export interface QueryPolicy {
  readonly record: AuthorizationPolicyRecord;
  readonly allowed: Allowed;
}

/** The policies for queries of a project, by gid. */
export const useQueryPolicies = (projectId: string) => {
  const query = usePolicies(projectId);
  const { data } = query;
  const policies = useMemo(
    () =>
      data === undefined
        ? undefined
        : new Map(
            data.flatMap((record) => {
              const allowed = allowedOf(record.policy);
              return allowed === undefined ? [] : [[record.id, { record, allowed }] as const];
            }),
          ),
    [data],
  );
  const names = useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
  return { query, policies, names };
};

export type QueryPolicies = ReturnType<typeof useQueryPolicies>;
