import type { RoleBindingRecord } from "@ikg/client";
import { freshName } from "../fresh-name.ts";
import { openAdmin } from "../requests/clients.ts";

/** A service account with one role, and the ways to end its token. */
export const newAccount = async (role: RoleBindingRecord["role"], projectId?: string) => {
  const admin = openAdmin();
  const { id } = await admin.serviceAccounts.create({ name: freshName("console") });
  await admin.roleBindings.create({
    subject: { service_account_id: id },
    role,
    ...(projectId !== undefined && { project_id: projectId }),
  });
  const credential = await admin.serviceAccountCredentials.create({ service_account_id: id });
  const token = credential.service_account_config?.token;
  if (token === undefined) throw new Error("the token of a new credential was not shown");
  return {
    token,
    revoke: () => admin.serviceAccountCredentials.delete(credential.id),
    remove: () => admin.serviceAccounts.delete(id),
  };
};
