import { IkgAdmin } from "@ikg/client";
import { environment } from "../environment.ts";
import { freshName } from "../fresh-name.ts";

/** A service account with one role, and the ways to end its token. */
export const newAccount = async (role: "viewer" | "owner", projectId?: string) => {
  const { base_url: baseUrl, service_account_token: owner } = environment();
  const admin = new IkgAdmin({ baseUrl, token: owner });
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
