import type { NewRoleBinding, ServiceAccountRecord } from "@ikg/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { displayText } from "../../../text/display-text.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextField } from "../../../fields/text-field.tsx";
import { useAdmin, useMayInOrganization } from "../../../session/use-admin.ts";
import { FormButtons, FormDialog } from "../form/form-dialog.tsx";
import { EverywhereField, type Role, RoleField } from "./role-field.tsx";

interface GrantRoleProps {
  readonly projectId: string;
  readonly accounts: readonly ServiceAccountRecord[];
}

/** Grants a role to a service account, or to every person with a claim. */
export const GrantRole = (props: GrantRoleProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Grant a role
      </button>
      {isOpen && <GrantForm {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

const useGrantRole = (projectId: string, onGranted: () => void) => {
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (binding: NewRoleBinding) => admin.roleBindings.create(binding),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["role-bindings"] });
      onGranted();
    },
  });
};

/** The subject of a new role, as it is entered. */
interface SubjectDraft {
  readonly to: "account" | "people";
  readonly account: string;
  readonly claim: string;
  readonly value: string;
}

const subjectOf = ({ to, account, claim, value }: SubjectDraft): NewRoleBinding["subject"] =>
  to === "account" ? { service_account_id: account } : { claim: claim.trim(), value: value.trim() };

const GrantForm = ({ projectId, accounts, onClose }: GrantRoleProps & { readonly onClose: () => void }) => {
  const [subject, setSubject] = useState<SubjectDraft>({
    to: accounts.length > 0 ? "account" : "people",
    account: "",
    claim: "groups",
    value: "",
  });
  const [role, setRole] = useState<Role>("viewer");
  const [isEverywhere, setEverywhere] = useState(false);
  const mayEverywhere = useMayInOrganization()("create_role_binding");
  const grant = useGrantRole(projectId, onClose);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    grant.mutate({ subject: subjectOf(subject), role, ...(!isEverywhere && { project_id: projectId }) });
  };
  return (
    <FormDialog title="Grant a role" mayClose={!grant.isPending} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <SubjectFields accounts={accounts} subject={subject} onChange={setSubject} />
        <RoleField role={role} onChange={setRole} />
        {mayEverywhere && <EverywhereField isEverywhere={isEverywhere} onChange={setEverywhere} />}
        {grant.isError && <ErrorNote error={grant.error} title="The role was not granted" />}
        <FormButtons
          isPending={grant.isPending}
          isIncomplete={Object.values(subjectOf(subject)).includes("")}
          label="Grant role"
          pendingLabel="Granting…"
          onCancel={onClose}
        />
      </form>
    </FormDialog>
  );
};

interface SubjectFieldsProps {
  readonly accounts: readonly ServiceAccountRecord[];
  readonly subject: SubjectDraft;
  readonly onChange: (subject: SubjectDraft) => void;
}

const SubjectFields = ({ accounts, subject, onChange }: SubjectFieldsProps) => {
  const id = useId();
  return (
    <>
      {accounts.length > 0 && (
        <div className="field">
          <label htmlFor={id}>To</label>
          <select
            id={id}
            value={subject.to}
            onChange={(event) =>
              onChange({ ...subject, to: event.target.value === "account" ? "account" : "people" })
            }
          >
            <option value="account">A service account</option>
            <option value="people">People whose token has a claim</option>
          </select>
        </div>
      )}
      {subject.to === "account" ? (
        <div className="field">
          <label htmlFor={`${id}-account`}>Service account</label>
          <select
            id={`${id}-account`}
            value={subject.account}
            onChange={(event) => onChange({ ...subject, account: event.target.value })}
          >
            <option value="">Choose one</option>
            {accounts.map((each) => (
              <option key={each.id} value={each.id}>
                {displayText(each.name, 80)}
              </option>
            ))}
          </select>
        </div>
      ) : (
        <>
          <TextField
            label="Claim"
            value={subject.claim}
            onChange={(claim) => onChange({ ...subject, claim })}
            error={undefined}
            suggestions={["groups", "roles", "email", "sub"]}
          />
          <TextField
            label="Claim value (one entry if the claim is a list)"
            value={subject.value}
            onChange={(value) => onChange({ ...subject, value })}
            error={undefined}
          />
        </>
      )}
    </>
  );
};
