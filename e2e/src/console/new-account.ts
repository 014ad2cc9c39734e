import { IkgAdmin, type RoleBindingRecord } from "@ikg/client";
import { environment } from "../environment.ts";
import { freshName } from "../fresh-name.ts";

/** A service account with a token of its own, and one role over the organization. */
export const newAccount = async (role: RoleBindingRecord["role"]) => {
  const admin = new IkgAdmin({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
  });
  const { id } = await admin.serviceAccounts.create({ name: freshName("console") });
  await admin.roleBindings.create({ subject: { service_account_id: id }, role });
  const credential = await admin.serviceAccountCredentials.create({ service_account_id: id });
  const token = credential.service_account_config?.token;
  if (token === undefined) throw new Error("the token of a new credential was not shown");
  return {
    token,
    revoke: () => admin.serviceAccountCredentials.delete(credential.id),
    remove: () => admin.serviceAccounts.delete(id),
  };
};
