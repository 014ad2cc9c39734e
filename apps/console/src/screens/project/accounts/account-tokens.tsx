import type { ServiceAccountCredentialRecord, ServiceAccountRecord } from "@ikg/client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useId, useMemo, useState } from "react";
import type { Column } from "../../../components/data-table.tsx";
import { displayText } from "../../../text/display-text.ts";
import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { useAdmin, useMayInOrganization } from "../../../session/use-admin.ts";
import { createToken } from "./account-creation.ts";
import { KeyTable } from "../keys/key-table.tsx";
import { type NewCredential, type NewKey, NewKeyDialog } from "../keys/new-key-dialog.tsx";
import { useAccountTokens } from "../administrators/use-administrators.ts";

interface AccountTokensProps {
  readonly projectId: string;
  readonly accounts: readonly ServiceAccountRecord[];
}

const tokensKey = { queryKey: ["account-tokens"] };

const useCreateToken = (projectId: string, accountId: string) => {
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  return async (fields: NewKey): Promise<NewCredential> => {
    const credential = await createToken(admin, accountId, fields);
    void client.invalidateQueries(tokensKey);
    return credential;
  };
};

const columnsOf = (
  accounts: readonly ServiceAccountRecord[],
): readonly Column<ServiceAccountCredentialRecord>[] => [
  {
    id: "account",
    header: "Service account",
    cell: ({ service_account_id: id }) => (
      <PlainText text={accounts.find((account) => account.id === id)?.name ?? id} limit={80} />
    ),
    sortBy: ({ service_account_id: id }) => accounts.find((account) => account.id === id)?.name ?? id,
  },
  {
    id: "used",
    header: "Last used",
    cell: ({ last_used: day }) => <span className="short">{day ?? "never"}</span>,
    sortBy: ({ last_used: day }) => day ?? "",
  },
];

/** Tokens by which service accounts call: they belong to the organization. */
export const AccountTokens = ({ projectId, accounts }: AccountTokensProps) => {
  const mayInOrganization = useMayInOrganization();
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  const columns = useMemo(() => columnsOf(accounts), [accounts]);
  const remove = useCallback(
    async ({ id }: ServiceAccountCredentialRecord): Promise<void> => {
      await admin.serviceAccountCredentials.delete(id);
      await client.invalidateQueries(tokensKey);
    },
    [admin, client],
  );
  return (
    <section className="stack" aria-label="Tokens of service accounts">
      <div className="row spread">
        <div>
          <h2>Tokens of service accounts</h2>
          <p className="hint">
            A token grants everything that its account may do, in every project where it has a role.
          </p>
        </div>
        {mayInOrganization("create_service_account_credential") && accounts.length > 0 && (
          <NewToken projectId={projectId} accounts={accounts} />
        )}
      </div>
      <Loaded query={useAccountTokens(projectId)} what="the tokens">
        {(tokens) =>
          tokens.length === 0 ? (
            <Empty title="No token yet">
              <p>Without a token a service account cannot call.</p>
            </Empty>
          ) : (
            <KeyTable
              projectId={projectId}
              noun="token"
              label="Tokens"
              keys={tokens}
              columns={columns}
              remove={mayInOrganization("delete_service_account_credential") ? remove : undefined}
              removal="Calls with it are refused within two seconds. If it is yours, you have to sign in again."
            />
          )
        }
      </Loaded>
    </section>
  );
};

const NewToken = ({ projectId, accounts }: AccountTokensProps) => {
  const [chosen, setChosen] = useState("");
  const [isOpen, setOpen] = useState(false);
  // One that was chosen may have been removed.
  const account = accounts.find((each) => each.id === chosen) ?? accounts[0];
  const create = useCreateToken(projectId, account?.id ?? "");
  const id = useId();
  return (
    <div className="row">
      <label htmlFor={id} className="visually-hidden">
        Service account of the new token
      </label>
      <select
        id={id}
        className="of-account"
        value={account?.id}
        onChange={(event) => setChosen(event.target.value)}
      >
        {accounts.map((each) => (
          <option key={each.id} value={each.id}>
            {displayText(each.name, 60)}
          </option>
        ))}
      </select>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        New token
      </button>
      {isOpen && (
        <NewKeyDialog
          noun="token"
          owner={displayText(account?.name ?? "", 60)}
          create={create}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
};
