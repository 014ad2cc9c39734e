import { IkgError } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { displayText } from "../../../parts/display-text.ts";
import { Note } from "../../../parts/note.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import { EverywhereField, type Role, RoleField } from "../administrators/role-field.tsx";
import { useAccountsChanged } from "../administrators/use-administrators.ts";
import { FieldInput } from "../form/field-input.tsx";
import { FormButtons, FormDialog } from "../form/form-dialog.tsx";
import { type FormField, type FormValues, textIn } from "../form/form-field.ts";
import { SaveError } from "../form/save-error.tsx";
import { placeErrors } from "../form/wrong-fields.ts";
import { LifetimeFields } from "../keys/lifetime-fields.tsx";
import { defaultLifetime, endOf } from "../keys/lifetimes.ts";
import type { MadeKey } from "../keys/new-key-dialog.tsx";
import { ShownSecret } from "../keys/shown-secret.tsx";
import { nameField } from "../records/named-fields.ts";
import { type AccountFields, AccountMaker } from "./account-maker.ts";

interface NewAccountDialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

const fields: readonly FormField[] = [
  nameField("build-server"),
  { kind: "text", name: "description", label: "What it is for" },
];

const useMakeAccount = (projectId: string) => {
  const admin = useAdmin(projectId);
  const changed = useAccountsChanged();
  const [maker] = useState(() => new AccountMaker());
  // The secret is kept only in this state, not in the cache of queries.
  const [made, setMade] = useState<MadeKey>();
  const making = useMutation({
    mutationFn: async (account: AccountFields) => setMade(await maker.make(admin, account)),
    onSettled: () => void changed(),
  });
  return { maker, made, making };
};

/** Creates a service account with a role and a token, which is shown once. */
export const NewAccountDialog = ({ projectId, onClose }: NewAccountDialogProps) => {
  const { maker, made, making } = useMakeAccount(projectId);
  const name = displayText(maker.account?.name ?? "", 60);
  return (
    <FormDialog
      title={made === undefined ? "New service account" : `The token of ${name}`}
      // The secret is shown only here: closing the dialog would lose it.
      mayClose={made === undefined && !making.isPending}
      onClose={onClose}
    >
      {made === undefined ? (
        <AccountForm projectId={projectId} maker={maker} making={making} onClose={onClose} />
      ) : (
        <ShownSecret
          secrets={[
            { label: "Token", text: made.secret },
            { label: "Credential file", text: JSON.stringify(made.file, null, 2) },
          ]}
          onDone={onClose}
        />
      )}
    </FormDialog>
  );
};

interface AccountFormProps extends NewAccountDialogProps {
  readonly maker: AccountMaker;
  readonly making: ReturnType<typeof useMakeAccount>["making"];
}

const AccountForm = ({ projectId, maker, making, onClose }: AccountFormProps) => {
  const [values, setValues] = useState<FormValues>({ name: "", description: "" });
  const [role, setRole] = useState<Role>("viewer");
  const [isEverywhere, setEverywhere] = useState(false);
  const [lifetime, setLifetime] = useState(defaultLifetime);
  const errors = making.error instanceof IkgError ? making.error.errors : [];
  const wrong = placeErrors(errors, maker.account === undefined ? fields : []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const end = endOf(lifetime, Date.now());
    making.mutate({
      name: textIn(values, "name"),
      description: textIn(values, "description"),
      role,
      projectId: isEverywhere ? undefined : projectId,
      token: end === undefined ? {} : { expire_time: end },
    });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {maker.account === undefined ? (
        fields.map((field) => (
          <FieldInput
            key={field.name}
            projectId={projectId}
            field={field}
            values={values}
            wrong={wrong.fields[field.name]}
            onChange={(value) => {
              setValues((before) => ({ ...before, [field.name]: value }));
              // What was wrong is about what was sent.
              if (making.isError) making.reset();
            }}
          />
        ))
      ) : (
        <AlreadyMade maker={maker} />
      )}
      {!maker.hasRole && (
        <>
          <RoleField role={role} onChange={setRole} />
          <EverywhereField isEverywhere={isEverywhere} onChange={setEverywhere} />
        </>
      )}
      <LifetimeFields one="token" label="Its token is valid for" lifetime={lifetime} onChange={setLifetime} />
      {making.isError && <SaveError error={making.error} wrong={wrong} title={failureOf(maker)} />}
      <FormButtons
        isPending={making.isPending}
        isIncomplete={maker.account === undefined && textIn(values, "name") === ""}
        label="Create with a token"
        pendingLabel="Creating…"
        onCancel={onClose}
      />
    </form>
  );
};

const failureOf = ({ account, hasRole }: AccountMaker): string => {
  if (account === undefined) return "The service account was not created";
  return hasRole ? "Its token was not created" : "Its role was not granted";
};

/** After a partial failure: what exists, and what the form still creates. */
const AlreadyMade = ({ maker: { account, hasRole } }: { readonly maker: AccountMaker }) => (
  <Note tone="info">
    <p>
      The service account {displayText(account?.name ?? "", 60)} has been created
      {hasRole ? " and has its role; its token is missing." : "; its role and its token are missing."} Try
      again, or close this and do the rest on this page.
    </p>
  </Note>
);
