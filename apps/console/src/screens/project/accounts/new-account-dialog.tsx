import { IkgError } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { displayText } from "../../../text/display-text.ts";
import { Note } from "../../../components/note.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import { EverywhereField, RoleField } from "../administrators/role-field.tsx";
import { useAccountsChanged } from "../administrators/use-administrators.ts";
import { FieldInput } from "../form/field-input.tsx";
import { FormButtons, FormDialog } from "../form/form-dialog.tsx";
import { type FormField, textIn } from "../form/form-field.ts";
import { SaveError } from "../form/save-error.tsx";
import { placeErrors } from "../form/field-errors.ts";
import { LifetimeFields } from "../keys/lifetime-fields.tsx";
import type { NewCredential } from "../keys/new-key-dialog.tsx";
import { ShownSecret } from "../keys/shown-secret.tsx";
import { nameField } from "../records/named-fields.ts";
import { AccountCreation, type AccountFields } from "./account-creation.ts";
import { type AccountDraft, accountFieldsOf, emptyAccount } from "./account-draft.ts";

interface NewAccountDialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

const fields: readonly FormField[] = [
  nameField("build-server"),
  { kind: "text", name: "description", label: "What it is for" },
];

const useCreateAccount = (projectId: string) => {
  const admin = useAdmin(projectId);
  const changed = useAccountsChanged();
  const [accountCreation] = useState(() => new AccountCreation());
  // The secret is kept only in this state, not in the cache of queries.
  const [credential, setCredential] = useState<NewCredential>();
  const creation = useMutation({
    mutationFn: async (account: AccountFields) => setCredential(await accountCreation.create(admin, account)),
    onSettled: () => void changed(),
  });
  return { accountCreation, credential, creation };
};

/** Creates a service account with a role and a token, which is shown once. */
export const NewAccountDialog = ({ projectId, onClose }: NewAccountDialogProps) => {
  const { accountCreation, credential, creation } = useCreateAccount(projectId);
  const name = displayText(accountCreation.account?.name ?? "", 60);
  return (
    <FormDialog
      title={credential === undefined ? "New service account" : `The token of ${name}`}
      // The secret is shown only here: closing the dialog would lose it.
      mayClose={credential === undefined && !creation.isPending}
      onClose={onClose}
    >
      {credential === undefined ? (
        <AccountForm
          projectId={projectId}
          accountCreation={accountCreation}
          creation={creation}
          onClose={onClose}
        />
      ) : (
        <ShownSecret
          secrets={[
            { label: "Token", text: credential.secret },
            { label: "Credential file", text: JSON.stringify(credential.file, null, 2) },
          ]}
          onDone={onClose}
        />
      )}
    </FormDialog>
  );
};

interface AccountFormProps extends NewAccountDialogProps {
  readonly accountCreation: AccountCreation;
  readonly creation: ReturnType<typeof useCreateAccount>["creation"];
}

const AccountForm = ({ projectId, accountCreation, creation, onClose }: AccountFormProps) => {
  const [draft, setDraft] = useState(emptyAccount);
  const change = (changes: Partial<AccountDraft>): void => setDraft((before) => ({ ...before, ...changes }));
  const errors = creation.error instanceof IkgError ? creation.error.errors : [];
  const shown = accountCreation.account === undefined ? fields : [];
  const fieldErrors = placeErrors(errors, shown, draft.values);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    creation.mutate(accountFieldsOf(draft, projectId));
  };
  return (
    <form className="stack" onSubmit={submit}>
      {accountCreation.account === undefined ? (
        fields.map((field) => (
          <FieldInput
            key={field.name}
            projectId={projectId}
            field={field}
            values={draft.values}
            error={fieldErrors.fields[field.name]}
            onChange={(value) => {
              setDraft((before) => ({ ...before, values: { ...before.values, [field.name]: value } }));
              // Errors are about the fields as they were sent.
              if (creation.isError) creation.reset();
            }}
          />
        ))
      ) : (
        <PartialResult accountCreation={accountCreation} />
      )}
      {!accountCreation.hasRole && (
        <>
          <RoleField role={draft.role} onChange={(role) => change({ role })} />
          <EverywhereField
            isEverywhere={draft.isEverywhere}
            onChange={(isEverywhere) => change({ isEverywhere })}
          />
        </>
      )}
      <LifetimeFields
        noun="token"
        label="Its token is valid for"
        lifetime={draft.lifetime}
        onChange={(lifetime) => change({ lifetime })}
      />
      {creation.isError && (
        <SaveError error={creation.error} fieldErrors={fieldErrors} title={failureOf(accountCreation)} />
      )}
      <FormButtons
        isPending={creation.isPending}
        isIncomplete={accountCreation.account === undefined && textIn(draft.values, "name") === ""}
        label="Create with a token"
        pendingLabel="Creating…"
        onCancel={onClose}
      />
    </form>
  );
};

const failureOf = ({ account, hasRole }: AccountCreation): string => {
  if (account === undefined) return "The service account was not created";
  return hasRole ? "Its token was not created" : "Its role was not granted";
};

/** After a partial failure: what exists, and what the form still creates. */
const PartialResult = ({
  accountCreation: { account, hasRole },
}: {
  readonly accountCreation: AccountCreation;
}) => (
  <Note tone="info">
    <p>
      The service account {displayText(account?.name ?? "", 60)} has been created
      {hasRole ? " and has its role; its token is missing." : "; its role and its token are missing."} Try
      again, or close this and do the rest on this page.
    </p>
  </Note>
);
