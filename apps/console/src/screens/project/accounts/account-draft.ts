import type { Role } from "../administrators/role-field.tsx";
import { type FormValues, textIn } from "../form/form-field.ts";
import { defaultLifetime, endOf, type Lifetime } from "../keys/lifetimes.ts";
import type { AccountFields } from "./account-creation.ts";

/** A new service account as its form has it. */
export interface AccountDraft {
  /** Its name and description. */
  readonly values: FormValues;
  readonly role: Role;
  readonly isEverywhere: boolean;
  /** Of its token. */
  readonly lifetime: Lifetime;
}

export const emptyAccount: AccountDraft = {
  values: { name: "", description: "" },
  role: "viewer",
  isEverywhere: false,
  lifetime: defaultLifetime,
};

/** @throws RangeError for an invalid date */
export const accountFieldsOf = (
  { values, role, isEverywhere, lifetime }: AccountDraft,
  projectId: string,
): AccountFields => {
  const end = endOf(lifetime, Date.now());
  return {
    name: textIn(values, "name"),
    description: textIn(values, "description"),
    role,
    projectId: isEverywhere ? undefined : projectId,
    token: end === undefined ? {} : { expire_time: end },
  };
};
