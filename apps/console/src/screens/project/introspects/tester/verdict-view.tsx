import type { Identity, TokenIntrospectRecord } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ifFound } from "../../../../session/if-found.ts";
import { Note } from "../../../../components/note.tsx";
import { PlainText } from "../../../../components/plain-text.tsx";
import { useAdmin, useMay } from "../../../../session/use-admin.ts";
import { RecordLink } from "../../records/record-link.tsx";
import type { ReadToken } from "./read-token.ts";
import { correctionOf } from "./refusal.ts";
import type { Verdict } from "./use-whoami.ts";

interface VerdictViewProps {
  readonly projectId: string;
  readonly verdict: Verdict;
  readonly token: ReadToken | undefined;
  readonly introspect: TokenIntrospectRecord | undefined;
}

/** For whom a token stands, or why it is not accepted. */
export const VerdictView = ({ projectId, verdict, token, introspect }: VerdictViewProps) => {
  const checkedBy = introspect && (
    <p className="row">
      Checked by <RecordLink tab="introspects" name={introspect.name} />
    </p>
  );
  if (!verdict.isAccepted) {
    const correction = correctionOf(verdict.reason, token, introspect);
    return (
      <Note tone="warn">
        <p>
          <strong>
            Not accepted: <PlainText text={verdict.reason} limit={200} />
          </strong>
        </p>
        {correction !== undefined && <p>{correction}</p>}
        {checkedBy}
      </Note>
    );
  }
  const { type, id } = verdict.person;
  return (
    <Note tone="good">
      <p>
        <strong>
          It stands for <PlainText text={type} limit={60} /> <PlainText text={id} limit={120} />
        </strong>
      </p>
      <NodeState projectId={projectId} person={verdict.person} />
      {checkedBy}
    </Note>
  );
};

/** Whether the graph has the node, for roles that read it. */
const NodeState = ({ projectId, person }: { readonly projectId: string; readonly person: Identity }) => {
  const { type, id } = person;
  const admin = useAdmin(projectId);
  const { data } = useQuery({
    queryKey: ["has-node", projectId, type, id],
    enabled: useMay()("read_node", projectId),
    staleTime: 0,
    queryFn: async ({ signal }): Promise<boolean> =>
      (await ifFound(admin.graph.node({ type, external_id: id }, { signal }))) !== undefined,
  });
  if (data === undefined) return null;
  if (!data) return <p>The graph has no such node yet, so nothing is granted to it by its relationships.</p>;
  return (
    <p>
      <Link to="/graph/node" search={{ type, id }}>
        Its node in the graph
      </Link>
    </p>
  );
};
