import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAdmin, useMay, useMayInOrganization } from "../../../session/use-admin.ts";

/** Service accounts of the organization; read by who has a role over all of it. */
export const useServiceAccounts = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["service-accounts"],
    enabled: useMayInOrganization()("list_service_accounts"),
    staleTime: 60_000,
    queryFn: ({ signal }) => admin.serviceAccounts.list({ signal }),
  });
};

/** Roles that count in the project: its own, and those over the organization as far as the caller may read them. */
export const useRoleBindings = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["role-bindings", projectId],
    enabled: useMay()("list_role_bindings", projectId),
    queryFn: async ({ signal }) =>
      (await admin.roleBindings.list({ signal })).filter(
        ({ project_id: of }) => of === undefined || of === projectId,
      ),
  });
};

/** Tokens of service accounts, without the tokens. */
export const useAccountTokens = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["account-tokens"],
    enabled: useMayInOrganization()("list_service_account_credentials"),
    queryFn: ({ signal }) => admin.serviceAccountCredentials.list({ signal }),
  });
};

/** Reads again what shows service accounts, their roles and their tokens: they go together. */
export const useAccountsChanged = (): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    await Promise.all(
      ["service-accounts", "role-bindings", "account-tokens"].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
  };
};
