import type { NewRoleBinding, ServiceAccountRecord } from "@ikg/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Dialog } from "radix-ui";
import { type FormEvent, useId, useState } from "react";
import { displayText } from "../../../parts/display-text.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { useAdmin, useMayInOrganization } from "../../../session/use-admin.ts";
import { roleTexts } from "./role-texts.ts";

interface GiveRoleProps {
  readonly projectId: string;
  readonly accounts: readonly ServiceAccountRecord[];
}

/** Gives a role to a service account, or to every person with a claim. */
export const GiveRole = (props: GiveRoleProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Give a role
      </button>
      {isOpen && (
        <Dialog.Root open onOpenChange={setOpen}>
          <Dialog.Portal>
            <Dialog.Overlay className="dialog-overlay" />
            <Dialog.Content className="dialog record-dialog" aria-describedby={undefined}>
              <Dialog.Title>Give a role</Dialog.Title>
              <GiveForm {...props} onClose={() => setOpen(false)} />
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
      )}
    </>
  );
};

type Role = NewRoleBinding["role"];

const roles = Object.keys(roleTexts) as readonly Role[];

const useGiveRole = (projectId: string, onGiven: () => void) => {
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (binding: NewRoleBinding) => admin.roleBindings.create(binding),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["role-bindings"] });
      onGiven();
    },
  });
};

const GiveForm = ({ projectId, accounts, onClose }: GiveRoleProps & { readonly onClose: () => void }) => {
  const [to, setTo] = useState(accounts.length > 0 ? "account" : "people");
  const [account, setAccount] = useState("");
  const [claim, setClaim] = useState("groups");
  const [value, setValue] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [isEverywhere, setEverywhere] = useState(false);
  const mayEverywhere = useMayInOrganization()("create_role_binding");
  const give = useGiveRole(projectId, onClose);
  const id = useId();
  const isToAccount = to === "account";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    give.mutate({
      subject: isToAccount ? { service_account_id: account } : { claim: claim.trim(), value: value.trim() },
      role,
      ...(!isEverywhere && { project_id: projectId }),
    });
  };
  const isIncomplete = isToAccount ? account === "" : claim.trim() === "" || value.trim() === "";
  return (
    <form className="stack" onSubmit={submit}>
      {accounts.length > 0 && (
        <div className="field">
          <label htmlFor={id}>To</label>
          <select id={id} value={to} onChange={(event) => setTo(event.target.value)}>
            <option value="account">A service account</option>
            <option value="people">People whose token has a claim</option>
          </select>
        </div>
      )}
      {isToAccount ? (
        <div className="field">
          <label htmlFor={`${id}-account`}>Service account</label>
          <select id={`${id}-account`} value={account} onChange={(event) => setAccount(event.target.value)}>
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
            value={claim}
            onChange={setClaim}
            wrong={undefined}
            suggestions={["groups", "roles", "email", "sub"]}
          />
          <TextField
            label="Its value, or one of its list"
            value={value}
            onChange={setValue}
            wrong={undefined}
          />
        </>
      )}
      <div className="field">
        <label htmlFor={`${id}-role`}>Role</label>
        <select
          id={`${id}-role`}
          value={role}
          aria-describedby={`${id}-role-hint`}
          onChange={(event) => setRole(roles.find((each) => each === event.target.value) ?? role)}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <p className="hint" id={`${id}-role-hint`}>
          For {roleTexts[role]}.
        </p>
      </div>
      {mayEverywhere && (
        <label className="check">
          <input
            type="checkbox"
            checked={isEverywhere}
            onChange={(event) => setEverywhere(event.target.checked)}
          />
          <span>
            In every project of the organization
            <small>Also in those that are made later.</small>
          </span>
        </label>
      )}
      {give.isError && <ErrorNote error={give.error} title="Not given" />}
      <div className="row end dialog-foot">
        <button type="button" className="button" disabled={give.isPending} onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={give.isPending || isIncomplete}>
          {give.isPending ? "Giving…" : "Give it"}
        </button>
      </div>
    </form>
  );
};
