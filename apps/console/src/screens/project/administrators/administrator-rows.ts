import type { RoleBindingRecord, ServiceAccountRecord } from "@ikg/client";

/** Who administers, with what, and where. */
export interface AdministratorRow {
  readonly key: string;
  readonly who: string;
  /** Whether `who` is a service account, or every person with a claim. */
  readonly kind: "account" | "people";
  readonly role: RoleBindingRecord["role"] | "all_viewer";
  /** Over the organization with all of its projects, or over this one. */
  readonly isOverOrganization: boolean;
  /** When the role was given. */
  readonly since: string;
  /** Undefined for the role of an account's own record, which no binding gives. */
  readonly binding: RoleBindingRecord | undefined;
}

const ownRoles = { all_editor: "owner", all_viewer: "all_viewer" } as const;

const whoOf = (
  { subject: { service_account_id: id, claim = "", value = "" } }: RoleBindingRecord,
  accounts: readonly ServiceAccountRecord[],
): string => {
  if (id === undefined) return `${claim} = ${value}`;
  return accounts.find((account) => account.id === id)?.name ?? id;
};

/** Roles of bindings and of the records of service accounts, those over the organization last. */
export const administratorRows = (
  bindings: readonly RoleBindingRecord[],
  accounts: readonly ServiceAccountRecord[],
): readonly AdministratorRow[] => {
  const given = bindings.map((binding): AdministratorRow => ({
    key: binding.id,
    who: whoOf(binding, accounts),
    kind: binding.subject.service_account_id === undefined ? "people" : "account",
    role: binding.role,
    isOverOrganization: binding.project_id === undefined,
    since: binding.create_time,
    binding,
  }));
  const own = accounts.flatMap(({ id, name, role, create_time: since }): readonly AdministratorRow[] =>
    role === undefined
      ? []
      : [
          {
            key: `${id} own`,
            who: name,
            kind: "account",
            role: ownRoles[role],
            isOverOrganization: true,
            since,
            binding: undefined,
          },
        ],
  );
  return [...given, ...own].toSorted(
    (one, other) => Number(one.isOverOrganization) - Number(other.isOverOrganization),
  );
};
