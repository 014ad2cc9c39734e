import type { IkgAdmin } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAdmin, useMay, useMayInOrganization } from "../../../session/use-admin.ts";
import type { Names } from "./names.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

type List = (admin: IkgAdmin, signal: AbortSignal) => Promise<readonly Named[]>;

/** Empty where the roles do not list them, and where the list cannot be read: then gids are shown. */
const useList = (projectId: string, key: string, isAllowed: boolean, list: List): readonly Named[] => {
  const admin = useAdmin(projectId);
  const { data } = useQuery({
    queryKey: [key, projectId],
    enabled: isAllowed,
    queryFn: ({ signal }) => list(admin, signal),
  });
  return data ?? none;
};

const none: readonly Named[] = [];

const byId = (records: readonly Named[]): ReadonlyMap<string, string> =>
  new Map(records.map(({ id, name }) => [id, name]));

/** Names of what audit records name by gids. */
export const useNames = (projectId: string): Names => {
  const may = useMay();
  const mayListPolicies = may("list_authorization_policies", projectId);
  const policies = useList(projectId, "policies", mayListPolicies, (admin, signal) =>
    admin.policies.list({ signal }),
  );
  const mayListAgents = may("list_application_agents", projectId);
  const agents = useList(projectId, "agents", mayListAgents, (admin, signal) =>
    admin.agents.list({ signal }),
  );
  const mayListAccounts = useMayInOrganization()("list_service_accounts");
  const accounts = useList(projectId, "service-accounts", mayListAccounts, (admin, signal) =>
    admin.serviceAccounts.list({ signal }),
  );
  const mayListQueries = may("list_knowledge_queries", projectId);
  const queries = useList(projectId, "queries", mayListQueries, (admin, signal) =>
    admin.queries.list({ signal }),
  );
  return useMemo(
    () => ({
      policies: byId(policies),
      actors: byId([...agents, ...accounts]),
      queries: byId(queries),
    }),
    [policies, agents, accounts, queries],
  );
};
