import type { ServiceAccountRecord } from "@ikg/client";
import { displayText } from "../../../text/display-text.ts";
import { RemoveButton } from "../../../components/remove-button.tsx";
import { useOwnId } from "../../../session/own-id.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { useAccountsChanged } from "../administrators/use-administrators.ts";

interface RemoveAccountProps {
  readonly projectId: string;
  readonly account: ServiceAccountRecord;
}

/** Removes a service account with its tokens and roles. */
export const RemoveAccount = ({ projectId, account: { id, name } }: RemoveAccountProps) => {
  const isOwn = useOwnId() === id;
  const admin = useAdmin(projectId);
  const changed = useAccountsChanged();
  return (
    <RemoveButton
      kind="service account"
      name={name}
      label={`Remove the service account ${displayText(name, 60)}`}
      onRemove={() => admin.serviceAccounts.delete(id)}
      onRemoved={changed}
      onFailed={changed}
    >
      <p>
        Its tokens and its roles in every project are removed. Calls with one of the tokens are refused within
        two seconds.
        {isOwn && " It is the one that you are signed in with: you have to sign in again."}
      </p>
    </RemoveButton>
  );
};
