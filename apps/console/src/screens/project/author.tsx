import { PlainText } from "../../components/plain-text.tsx";
import { administratorId } from "../../session/administrator-name.ts";
import { useSession } from "../../session/use-session.ts";
import { useServiceAccounts } from "./administrators/use-administrators.ts";

interface AuthorProps {
  readonly projectId: string;
  /** Gid of a service account, or issuer and subject of a person. */
  readonly id: string;
}

/** Who made or changed something: by name where the caller may read service accounts. */
export const Author = ({ projectId, id }: AuthorProps) => {
  const session = useSession();
  const accounts = useServiceAccounts(projectId);
  if (session.status !== "signed_out" && id === administratorId(session.administrator)) return <>you</>;
  const account = accounts.data?.find((each) => each.id === id);
  return <PlainText text={account?.name ?? id} limit={60} mono={account === undefined} />;
};
