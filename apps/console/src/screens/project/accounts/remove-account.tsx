import type { ServiceAccountRecord } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmRemoval } from "../../../parts/confirm-removal.tsx";
import { displayText } from "../../../parts/display-text.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { administratorId } from "../../../session/administrator-name.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { useSession } from "../../../session/use-session.ts";
import { useAccountsChanged } from "../administrators/use-administrators.ts";

interface RemoveAccountProps {
  readonly projectId: string;
  readonly account: ServiceAccountRecord;
}

/** Removes a service account with its tokens and roles, after its name was typed. */
export const RemoveAccount = ({ projectId, account: { id, name } }: RemoveAccountProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const session = useSession();
  const admin = useAdmin(projectId);
  const changed = useAccountsChanged();
  const remove = useMutation({
    mutationFn: () => admin.serviceAccounts.delete(id),
    onSettled: changed,
  });
  const isOwn = session.status !== "signed_out" && administratorId(session.administrator) === id;
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={`Remove the service account ${displayText(name, 60)}`}
        disabled={remove.isPending}
        onClick={() => setConfirming(true)}
      >
        Remove
      </button>
      {isConfirming && (
        <ConfirmRemoval
          isOpen
          kind="service account"
          name={name}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            remove.mutate();
          }}
        >
          <p>
            Its tokens and its roles in every project are removed. Calls with one of the tokens are refused
            within two seconds.
            {isOwn && " It is the one that you are signed in with: you have to sign in again."}
          </p>
        </ConfirmRemoval>
      )}
      {remove.isError && <ErrorNote error={remove.error} title="Not removed" />}
    </>
  );
};
