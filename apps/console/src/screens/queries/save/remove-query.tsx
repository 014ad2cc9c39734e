import { useNavigate } from "@tanstack/react-router";
import { isConflict } from "../../../editors/record-editor/use-save-record.ts";
import { RemoveButton } from "../../../components/remove-button.tsx";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { QueryEditing, ReadQuery } from "../draft/use-query-draft.ts";
import { useQueriesChanged } from "./use-queries-changed.ts";

interface RemoveQueryProps {
  readonly projectId: string;
  readonly query: ReadQuery;
  readonly editing: QueryEditing;
}

/** Removes a query. */
export const RemoveQuery = ({ projectId, query, editing }: RemoveQueryProps) => {
  const { name, id } = query.record;
  const admin = useAdmin(projectId);
  const changed = useQueriesChanged();
  const navigate = useNavigate();
  if (!useMay()("delete_knowledge_query", projectId)) return null;
  return (
    <RemoveButton
      kind="query"
      name={name}
      onRemove={() => admin.queries.delete(id, { ifMatch: query.etag })}
      onRemoved={async () => {
        editing.discard();
        await navigate({ to: "/queries" });
        await changed();
      }}
      onFailed={async (error) => {
        if (isConflict(error)) await changed();
      }}
    >
      <p>
        All of its versions are removed. Applications that run it are refused from then on. Its policy and the
        data of the graph stay.
      </p>
    </RemoveButton>
  );
};
