import type { RoleBindingRecord, ServiceAccountCredentialRecord, ServiceAccountRecord } from "@ikg/client";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { useMayInOrganization } from "../../../session/use-admin.ts";
import { administratorRows, type AdministratorRow } from "../administrators/administrator-rows.ts";
import { useAccountTokens, useServiceAccounts } from "../administrators/use-administrators.ts";
import { ValidKeys } from "../keys/valid-keys.tsx";
import { NewAccountDialog } from "./new-account-dialog.tsx";
import { RemoveAccount } from "./remove-account.tsx";

interface ServiceAccountsProps {
  readonly projectId: string;
  /** Those that count in the project. */
  readonly bindings: readonly RoleBindingRecord[];
}

interface AccountRow {
  readonly account: ServiceAccountRecord;
  readonly roles: readonly AdministratorRow["role"][];
  /** Undefined where the roles do not read them. */
  readonly tokens: readonly ServiceAccountCredentialRecord[] | undefined;
}

const columnsOf = (projectId: string, mayRemove: boolean): readonly Column<AccountRow>[] => [
  {
    id: "name",
    header: "Service account",
    look: "wide",
    cell: ({ account: { name, description } }) => (
      <span className="record-name">
        <PlainText text={name} limit={120} />
        {description !== undefined && (
          <small>
            <PlainText text={description} limit={200} />
          </small>
        )}
      </span>
    ),
    sortBy: ({ account }) => account.name,
  },
  {
    id: "roles",
    header: "Roles here",
    cell: ({ roles }) =>
      roles.length === 0 ? (
        <span className="hint">none</span>
      ) : (
        <span className="row">
          {[...new Set(roles)].map((role) => (
            <span className="tag" key={role}>
              {role}
            </span>
          ))}
        </span>
      ),
  },
  {
    id: "tokens",
    header: "Tokens",
    cell: ({ tokens }) => (tokens === undefined ? null : <ValidKeys keys={tokens} />),
  },
  {
    id: "created",
    header: "Created",
    cell: ({ account: { create_time: at } }) => <Instant at={at} />,
    sortBy: ({ account: { create_time: at } }) => at,
  },
  ...(mayRemove
    ? [
        {
          id: "remove",
          header: "Actions",
          cell: ({ account }: AccountRow) => <RemoveAccount projectId={projectId} account={account} />,
        },
      ]
    : []),
];

/** Programs that administer, each with its roles and tokens: they belong to the organization. */
export const ServiceAccounts = ({ projectId, bindings }: ServiceAccountsProps) => {
  const [isOpen, setOpen] = useState(false);
  const may = useMayInOrganization();
  const accounts = useServiceAccounts(projectId);
  const tokens = useAccountTokens(projectId);
  const mayCreate = [
    "create_service_account",
    "create_role_binding",
    "create_service_account_credential",
  ].every(may);
  const mayRemove = may("delete_service_account");
  const columns = useMemo(() => columnsOf(projectId, mayRemove), [projectId, mayRemove]);
  const rows = useMemo(
    () =>
      (accounts.data ?? []).map((account): AccountRow => ({
        account,
        roles: administratorRows(
          bindings.filter(({ subject }) => subject.service_account_id === account.id),
          [account],
        ).map(({ role }) => role),
        tokens: tokens.data?.filter(({ service_account_id: of }) => of === account.id),
      })),
    [accounts.data, bindings, tokens.data],
  );
  return (
    <section className="stack" aria-label="Service accounts">
      <div className="row spread">
        <div>
          <h2>Service accounts</h2>
          <p className="hint">
            Programs that administer, as a build server does. They belong to the organization.
          </p>
        </div>
        {mayCreate && (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            <Icon name="plus" />
            New service account
          </button>
        )}
      </div>
      <Loaded query={accounts} what="the service accounts">
        {() =>
          rows.length === 0 ? (
            <Empty title="No service account yet">
              <p>People administer here, and no program does.</p>
            </Empty>
          ) : (
            <DataTable
              label="Programs that administer"
              columns={columns}
              rows={rows}
              keyOf={({ account }) => account.id}
            />
          )
        }
      </Loaded>
      {isOpen && <NewAccountDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </section>
  );
};
