import type { AuthorizationPolicyRecord } from "@ikg/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { EditingActions } from "../../../editors/record-editor/editing-actions.tsx";
import { EditorPage } from "../../../editors/record-editor/editor-page.tsx";
import { effectTexts } from "../../../editors/record-editor/record-draft.ts";
import { useMay } from "../../../session/use-admin.ts";
import { readableDraft, readableText } from "../draft/readable.ts";
import { type PolicyEditing, type ReadPolicy, usePolicyDraft } from "../draft/use-policy-draft.ts";
import { useValidation } from "../draft/use-validation.ts";
import { type ImpactInputs, noInputs } from "../impact/impact-of.ts";
import { RemovePolicy } from "../save/remove-policy.tsx";
import { SavePolicyDialog } from "../save/save-policy-dialog.tsx";
import { PolicyTabs } from "./policy-tabs.tsx";

interface PolicyPageProps {
  readonly projectId: string;
  /** Undefined for a new policy. */
  readonly read: ReadPolicy | undefined;
}

/** What a policy says, what it runs, whose access a change of it gives and takes, and what it said before. */
export const PolicyPage = ({ projectId, read }: PolicyPageProps) => {
  const editing = usePolicyDraft(projectId, read);
  const validation = useValidation(projectId, editing.draft);
  const [inputs, setInputs] = useState(noInputs);
  const [isSaving, setSaving] = useState(false);
  const [done, setDone] = useState<string>();
  const navigate = useNavigate();
  const may = useMay();
  const isNew = read === undefined;
  const mayWrite = may(isNew ? "create_authorization_policy" : "update_authorization_policy", projectId);
  const onSaved = ({ name, status }: AuthorizationPolicyRecord): void => {
    setSaving(false);
    setDone(`Saved. ${effectTexts[status]}`);
    if (isNew) void navigate({ to: "/policies/$policy", params: { policy: name } });
  };
  const shared = { projectId, read, editing, validation, inputs };
  const onSave = (): void => {
    setDone(undefined);
    setSaving(true);
  };
  return (
    <EditorPage
      kind="policy"
      all={<Link to="/policies">All policies</Link>}
      record={read?.record}
      editing={editing}
      mayWrite={mayWrite}
      actions={<PolicyActions {...shared} onSave={onSave} />}
      questions={{
        asNew: "Who may do what with what, and when?",
        asRead: "What does this policy say, and to whom?",
      }}
      done={done}
      readable={{ record: readableText, draft: readableDraft }}
    >
      <PolicyTabs
        {...shared}
        isReadOnly={!mayWrite}
        onInputs={setInputs}
        onTyped={() => setDone(undefined)}
        onRolledBack={(version, status) =>
          setDone(`Rolled back to version ${version}. ${effectTexts[status]}`)
        }
      />
      {isSaving && <SavePolicyDialog {...shared} onClose={() => setSaving(false)} onSaved={onSaved} />}
    </EditorPage>
  );
};

interface PolicyActionsProps extends PolicyPageProps {
  readonly editing: PolicyEditing;
  readonly inputs: ImpactInputs;
  readonly onSave: () => void;
}

const PolicyActions = ({ projectId, read, editing, inputs, onSave }: PolicyActionsProps) => (
  <EditingActions
    isNew={read === undefined}
    editing={editing}
    missing={editing.draft.name === "" ? "The policy needs a name" : undefined}
    onSave={onSave}
  >
    {read !== undefined && (
      <RemovePolicy projectId={projectId} policy={read} editing={editing} inputs={inputs} />
    )}
  </EditingActions>
);
