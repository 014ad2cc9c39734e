import { PlainText } from "../../components/plain-text.tsx";
import { useOwnId } from "../../session/own-id.ts";
import { useServiceAccounts } from "./administrators/use-administrators.ts";

interface AuthorProps {
  readonly projectId: string;
  /** Gid of a service account, or issuer and subject of a person. */
  readonly id: string;
}

/** Who made or changed something: by name where the caller may read service accounts. */
export const Author = ({ projectId, id }: AuthorProps) => {
  const ownId = useOwnId();
  const accounts = useServiceAccounts(projectId);
  if (id === ownId) return <>you</>;
  const account = accounts.data?.find((each) => each.id === id);
  return <PlainText text={account?.name ?? id} limit={60} mono={account === undefined} />;
};
