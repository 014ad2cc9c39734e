import type { IkgAdmin } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { Names } from "./names.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Of no project: roles that reach one project do not reach what belongs to the organization. */
const organization = "";

type List = (admin: IkgAdmin, signal: AbortSignal) => Promise<readonly Named[]>;

/** Nothing to those who may not list them, and when the list cannot be read: then gids are shown. */
const useList = (
  projectId: string,
  key: string,
  operation: string,
  list: List,
  reach: string = projectId,
): readonly Named[] => {
  const admin = useAdmin(projectId);
  const { data } = useQuery({
    queryKey: [key, projectId],
    enabled: useMay()(operation, reach),
    queryFn: ({ signal }) => list(admin, signal),
  });
  return data ?? none;
};

const none: readonly Named[] = [];

const byId = (records: readonly Named[]): ReadonlyMap<string, string> =>
  new Map(records.map(({ id, name }) => [id, name]));

/** Names of what audit records name by gids. */
export const useNames = (projectId: string): Names => {
  const policies = useList(projectId, "policies", "list_authorization_policies", (admin, signal) =>
    admin.policies.list({ signal }),
  );
  const agents = useList(projectId, "agents", "list_application_agents", (admin, signal) =>
    admin.agents.list({ signal }),
  );
  const accounts = useList(
    projectId,
    "service-accounts",
    "list_service_accounts",
    (admin, signal) => admin.serviceAccounts.list({ signal }),
    organization,
  );
  const queries = useList(projectId, "queries", "list_knowledge_queries", (admin, signal) =>
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
