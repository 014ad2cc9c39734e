import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { useMay, useMayInOrganization } from "../../../session/use-admin.ts";
import { AccountTokens } from "../accounts/account-tokens.tsx";
import { ServiceAccounts } from "../accounts/service-accounts.tsx";
import { type AdministratorRow, administratorRows } from "./administrator-rows.ts";
import { GrantRole } from "./grant-role.tsx";
import { allViewerText, roleTexts } from "./role-texts.ts";
import { RevokeRole } from "./revoke-role.tsx";
import { useRoleBindings, useServiceAccounts } from "./use-administrators.ts";

const textOfRole = (role: AdministratorRow["role"]): string =>
  role === "all_viewer" ? allViewerText : roleTexts[role];

const columnsOf = (
  projectId: string,
  mayRevoke: (row: AdministratorRow) => boolean,
): readonly Column<AdministratorRow>[] => [
  {
    id: "who",
    header: "Who",
    cell: ({ who, kind }) => (
      <span className="record-name who">
        <PlainText text={who} limit={200} mono={kind === "people"} />
        <small>{kind === "people" ? "people whose token has this claim" : "service account"}</small>
      </span>
    ),
    sortBy: ({ who }) => who,
  },
  {
    id: "role",
    header: "Role",
    look: "wide",
    cell: ({ role }) => (
      <>
        <span className="tag">{role}</span> <span className="hint">{textOfRole(role)}</span>
      </>
    ),
    sortBy: ({ role }) => role,
  },
  {
    id: "where",
    header: "Where",
    cell: ({ isOverOrganization }) => (
      <span className="short">{isOverOrganization ? "every project" : "this project"}</span>
    ),
    sortBy: ({ isOverOrganization }) => Number(isOverOrganization),
  },
  {
    id: "since",
    header: "Since",
    cell: ({ since }) => <Instant at={since} />,
    sortBy: ({ since }) => since,
  },
  {
    id: "revoke",
    header: "Actions",
    cell: (row) => (mayRevoke(row) ? <RevokeRole projectId={projectId} row={row} /> : null),
  },
];

/** Who may change what is configured here: people and service accounts, by their roles. */
export const AdministratorsTab = ({ projectId }: { readonly projectId: string }) => {
  const may = useMay();
  const mayInOrganization = useMayInOrganization();
  const bindings = useRoleBindings(projectId);
  const accounts = useServiceAccounts(projectId);
  const mayGrant = may("create_role_binding", projectId);
  const mayRevokeHere = may("delete_role_binding", projectId);
  const mayRevokeEverywhere = mayInOrganization("delete_role_binding");
  const seesOrganization = mayInOrganization("list_role_bindings");
  const columns = useMemo(
    () =>
      columnsOf(projectId, ({ binding, isOverOrganization }) =>
        binding === undefined ? false : isOverOrganization ? mayRevokeEverywhere : mayRevokeHere,
      ),
    [projectId, mayRevokeHere, mayRevokeEverywhere],
  );
  const rows = useMemo(
    () => administratorRows(bindings.data ?? [], accounts.data ?? []),
    [bindings.data, accounts.data],
  );
  return (
    <div className="stack">
      <div className="row spread">
        <p className="hint">
          Administrators change the configuration; applications do not.
          {!seesOrganization &&
            " Roles over the whole organization are shown only to administrators who have one."}
        </p>
        {mayGrant && <GrantRole projectId={projectId} accounts={accounts.data ?? []} />}
      </div>
      <Loaded query={bindings} what="the roles">
        {() =>
          rows.length === 0 ? (
            <Empty title="No role is limited to this project">
              <p>
                Roles over the organization apply here too; they are shown only to administrators who have
                one.
              </p>
            </Empty>
          ) : (
            <DataTable label="Administrators" columns={columns} rows={rows} keyOf={({ key }) => key} />
          )
        }
      </Loaded>
      {mayInOrganization("list_service_accounts") && (
        <ServiceAccounts projectId={projectId} bindings={bindings.data ?? []} />
      )}
      {mayInOrganization("list_service_account_credentials") && (
        <AccountTokens projectId={projectId} accounts={accounts.data ?? []} />
      )}
    </div>
  );
};
