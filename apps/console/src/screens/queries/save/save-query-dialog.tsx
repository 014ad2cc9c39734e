import type { KnowledgeQueryRecord } from "@ikg/client";
import { SaveDialog } from "../../../editors/record-editor/save-dialog.tsx";
import type { RecordValidation } from "../../../editors/record-editor/use-check.ts";
import { useSaveRecord } from "../../../editors/record-editor/use-save-record.ts";
import { writeRecord } from "../../../editors/record-editor/write-record.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { fieldsOf, textOf } from "../draft/draft.ts";
import { readableDraft, readableText } from "../draft/readable.ts";
import type { QueryEditing } from "../draft/use-query-draft.ts";
import type { QueryPolicies } from "../use-query-policies.ts";
import { useQueriesChanged } from "./use-queries-changed.ts";

interface SaveQueryDialogProps {
  readonly projectId: string;
  readonly editing: QueryEditing;
  readonly validation: RecordValidation;
  readonly policies: QueryPolicies;
  readonly onClose: () => void;
  readonly onSaved: (record: KnowledgeQueryRecord) => void;
}

/** What saving a query would change. */
export const SaveQueryDialog = (props: SaveQueryDialogProps) => {
  const { projectId, editing, validation, policies, onClose, onSaved } = props;
  const { draft, base } = editing;
  const admin = useAdmin(projectId);
  const refresh = useQueriesChanged();
  const save = useSaveRecord({
    editing,
    refresh,
    onSaved,
    onConflict: onClose,
    write: async () => {
      const text = textOf(draft);
      if (text === undefined) throw new Error("A field does not contain valid JSON.");
      const created = fieldsOf(draft, text, base === undefined);
      const { name: _name, ...updated } = created;
      return writeRecord(admin.queries, base, { created, updated });
    },
  });
  return (
    <SaveDialog
      kind="query"
      name={draft.name}
      status={draft.status}
      former={base && readableText(base.record, policies.names)}
      latter={readableDraft(draft, policies.names)}
      lead="What changes. Applications that run it get the new rows within two seconds."
      validation={validation}
      save={save}
      onClose={onClose}
    />
  );
};
