import type { IkgAdmin, ServiceAccountRecord } from "@ikg/client";
import type { Role } from "../administrators/role-field.tsx";
import type { NewCredential, NewKey } from "../keys/new-key-dialog.tsx";

/** The fields of a new service account. */
export interface AccountFields {
  readonly name: string;
  /** Empty for none. */
  readonly description: string;
  readonly role: Role;
  /** Where it has the role; undefined: in every project of the organization. */
  readonly projectId: string | undefined;
  readonly token: NewKey;
}

/** Creates a token of a service account. @throws IkgError */
export const createToken = async (
  admin: IkgAdmin,
  accountId: string,
  fields: NewKey,
): Promise<NewCredential> => {
  const credential = await admin.serviceAccountCredentials.create({
    service_account_id: accountId,
    ...fields,
  });
  const file = credential.service_account_config;
  if (file === undefined) throw new Error("The response has no token.");
  return { secret: file.token, file };
};

/** Creates a service account, its role and its token. After a failure it continues with what is still missing. */
export class AccountCreation {
  #account: ServiceAccountRecord | undefined;
  #hasRole = false;

  /** Undefined until it is created. */
  get account(): ServiceAccountRecord | undefined {
    return this.#account;
  }

  get hasRole(): boolean {
    return this.#hasRole;
  }

  /** @returns the token, which is shown this once. @throws IkgError */
  async create(admin: IkgAdmin, fields: AccountFields): Promise<NewCredential> {
    const { name, description, role, projectId, token } = fields;
    this.#account ??= await admin.serviceAccounts.create({
      name,
      ...(description !== "" && { description }),
    });
    const { id } = this.#account;
    if (!this.#hasRole) {
      const where = projectId === undefined ? {} : { project_id: projectId };
      await admin.roleBindings.create({ subject: { service_account_id: id }, role, ...where });
      this.#hasRole = true;
    }
    return createToken(admin, id, token);
  }
}
