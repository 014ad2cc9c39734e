import type { KnowledgeQueryRecord } from "@ikg/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { EditingActions } from "../../../editors/record-editor/editing-actions.tsx";
import { EditorPage } from "../../../editors/record-editor/editor-page.tsx";
import { effectTexts } from "../../../editors/record-editor/record-draft.ts";
import { useMay } from "../../../session/use-admin.ts";
import { readableDraft, readableText } from "../draft/readable.ts";
import { type QueryEditing, type ReadQuery, useQueryDraft } from "../draft/use-query-draft.ts";
import { useValidation } from "../draft/use-validation.ts";
import { RemoveQuery } from "../save/remove-query.tsx";
import { SaveQueryDialog } from "../save/save-query-dialog.tsx";
import type { QueryPolicies } from "../use-query-policies.ts";
import { QueryTabs } from "./query-tabs.tsx";

interface QueryPageProps {
  readonly projectId: string;
  /** Undefined for a new query. */
  readonly read: ReadQuery | undefined;
  readonly policies: QueryPolicies;
  /** Gid of the policy that a new query begins with; empty for none. */
  readonly policyId: string;
}

/** What a query says, what it returns, and what it said before. */
export const QueryPage = ({ projectId, read, policies, policyId }: QueryPageProps) => {
  const editing = useQueryDraft(projectId, read, policyId);
  const validation = useValidation(projectId, editing.draft);
  const [isSaving, setSaving] = useState(false);
  const [done, setDone] = useState<string>();
  const navigate = useNavigate();
  const may = useMay();
  const isNew = read === undefined;
  const mayWrite = may(isNew ? "create_knowledge_query" : "update_knowledge_query", projectId);
  const onSaved = ({ name, status }: KnowledgeQueryRecord): void => {
    setSaving(false);
    setDone(`Saved. ${effectTexts[status]}`);
    if (isNew) void navigate({ to: "/queries/$query", params: { query: name } });
  };
  const shared = { projectId, read, editing, validation, policies };
  const onSave = (): void => {
    setDone(undefined);
    setSaving(true);
  };
  return (
    <EditorPage
      kind="query"
      all={<Link to="/queries">All queries</Link>}
      record={read?.record}
      editing={editing}
      mayWrite={mayWrite}
      actions={<QueryActions {...shared} onSave={onSave} />}
      questions={{
        asNew: "What does it return or write, of what its policy allows?",
        asRead: "What does this query read or write?",
      }}
      done={done}
      readable={{
        record: (record) => readableText(record, policies.names),
        draft: (draft) => readableDraft(draft, policies.names),
      }}
    >
      <QueryTabs
        {...shared}
        isReadOnly={!mayWrite}
        onTyped={() => setDone(undefined)}
        onRolledBack={(version, status) =>
          setDone(`Rolled back to version ${version}. ${effectTexts[status]}`)
        }
      />
      {isSaving && <SaveQueryDialog {...shared} onClose={() => setSaving(false)} onSaved={onSaved} />}
    </EditorPage>
  );
};

interface QueryActionsProps extends Pick<QueryPageProps, "projectId" | "read"> {
  readonly editing: QueryEditing;
  readonly onSave: () => void;
}

const missingIn = ({ name, policyId }: QueryEditing["draft"]): string | undefined => {
  if (name === "") return "The query needs a name";
  return policyId === "" ? "The query needs a policy" : undefined;
};

const QueryActions = ({ projectId, read, editing, onSave }: QueryActionsProps) => (
  <EditingActions
    isNew={read === undefined}
    editing={editing}
    missing={missingIn(editing.draft)}
    onSave={onSave}
  >
    {read !== undefined && <RemoveQuery projectId={projectId} query={read} editing={editing} />}
  </EditingActions>
);
