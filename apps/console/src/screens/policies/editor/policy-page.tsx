import type { AuthorizationPolicyRecord } from "@ikg/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Instant } from "../../../parts/instant.tsx";
import { Note } from "../../../parts/note.tsx";
import { displayText, PlainText } from "../../../parts/plain-text.tsx";
import { Screen } from "../../../parts/screen.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { type PolicyEditing, type ReadPolicy, usePolicyDraft } from "../draft/use-policy-draft.ts";
import { useValidation } from "../draft/use-validation.ts";
import { type ImpactInputs, noInputs } from "../impact/impact-of.ts";
import { StatusTag } from "../list/status-tag.tsx";
import { ConflictNote } from "../save/conflict-note.tsx";
import { RemovePolicy } from "../save/remove-policy.tsx";
import { SaveDialog } from "../save/save-dialog.tsx";
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
  const { isChanged, theirs } = editing;
  const onSaved = ({ name }: AuthorizationPolicyRecord): void => {
    setSaving(false);
    setDone("Saved. It is live within two seconds.");
    if (isNew) void navigate({ to: "/policies/$policy", params: { policy: name } });
  };
  const shared = { projectId, read, editing, validation, inputs };
  const onSave = (): void => {
    setDone(undefined);
    setSaving(true);
  };
  return (
    <Screen
      title={isNew ? "New policy" : displayText(read.record.display_name, 80)}
      question={isNew ? "Who may do what with what, and when?" : "What does this policy say, and to whom?"}
      actions={mayWrite && <PolicyActions {...shared} onSave={onSave} />}
    >
      <Facts read={read} isChanged={isChanged && mayWrite} mayWrite={mayWrite} />
      {done !== undefined && !isChanged && (
        <Note tone="good">
          <p>{done}</p>
        </Note>
      )}
      {theirs !== undefined && <ConflictNote editing={editing} theirs={theirs} />}
      <PolicyTabs
        {...shared}
        isReadOnly={!mayWrite}
        onInputs={setInputs}
        onTyped={() => setDone(undefined)}
        onRolledBack={(version) =>
          setDone(`Rolled back to version ${version}. It is live within two seconds.`)
        }
      />
      {isSaving && <SaveDialog {...shared} onClose={() => setSaving(false)} onSaved={onSaved} />}
    </Screen>
  );
};

interface PolicyActionsProps extends PolicyPageProps {
  readonly editing: PolicyEditing;
  readonly inputs: ImpactInputs;
  readonly onSave: () => void;
}

const PolicyActions = ({ projectId, read, editing, inputs, onSave }: PolicyActionsProps) => {
  const { draft, isChanged, theirs, discard } = editing;
  const isNameless = draft.name === "";
  return (
    <>
      {read !== undefined && (
        <RemovePolicy projectId={projectId} policy={read} editing={editing} inputs={inputs} />
      )}
      {isChanged && (
        <button type="button" className="button" onClick={discard}>
          Discard
        </button>
      )}
      <button
        type="button"
        className="button primary"
        disabled={!isChanged || theirs !== undefined || isNameless}
        title={isNameless ? "The policy needs a name" : undefined}
        onClick={onSave}
      >
        {read === undefined ? "Create…" : "Save…"}
      </button>
    </>
  );
};

interface FactsProps {
  readonly read: ReadPolicy | undefined;
  readonly isChanged: boolean;
  readonly mayWrite: boolean;
}

const Facts = ({ read, isChanged, mayWrite }: FactsProps) => (
  <div className="row facts-line">
    <Link to="/policies">All policies</Link>
    {read !== undefined && (
      <>
        <span className="mono">
          <PlainText text={read.record.name} limit={120} />
        </span>
        <StatusTag status={read.record.status} />
        <span className="hint">
          changed <Instant at={read.record.update_time} />
        </span>
      </>
    )}
    {isChanged && <span className="tag warn">Not saved</span>}
    {!mayWrite && <span className="hint">Your roles read policies, and do not change them.</span>}
  </div>
);
