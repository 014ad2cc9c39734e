import type { AuthorizationPolicyRecord } from "@ikg/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { useState } from "react";
import { Instant } from "../../../parts/instant.tsx";
import { Note } from "../../../parts/note.tsx";
import { displayText, PlainText } from "../../../parts/plain-text.tsx";
import { Screen } from "../../../parts/screen.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { type ReadPolicy, usePolicyDraft } from "../draft/use-policy-draft.ts";
import { useValidation } from "../draft/use-validation.ts";
import { noInputs } from "../impact/impact-of.ts";
import { Impact } from "../impact/impact.tsx";
import { StatusTag } from "../list/status-tag.tsx";
import { Preview } from "../preview/preview.tsx";
import { ConflictNote } from "../save/conflict-note.tsx";
import { RemovePolicy } from "../save/remove-policy.tsx";
import { SaveDialog } from "../save/save-dialog.tsx";
import { Versions } from "../versions/versions.tsx";
import { RuleEditor } from "./rule-editor.tsx";

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
  const { draft, isChanged, theirs } = editing;
  const onSaved = ({ name }: AuthorizationPolicyRecord): void => {
    setSaving(false);
    setDone("Saved. It is live within two seconds.");
    if (isNew) void navigate({ to: "/policies/$policy", params: { policy: name } });
  };
  return (
    <Screen
      title={isNew ? "New policy" : displayText(read.record.display_name, 80)}
      question={isNew ? "Who may do what with what, and when?" : "What does this policy say, and to whom?"}
      actions={
        mayWrite && (
          <>
            {read !== undefined && (
              <RemovePolicy projectId={projectId} policy={read} editing={editing} inputs={inputs} />
            )}
            {isChanged && (
              <button type="button" className="button" onClick={editing.discard}>
                Discard changes
              </button>
            )}
            <button
              type="button"
              className="button primary"
              disabled={!isChanged || theirs !== undefined || draft.name === ""}
              onClick={() => {
                setDone(undefined);
                setSaving(true);
              }}
            >
              {isNew ? "Create…" : "Save…"}
            </button>
          </>
        )
      }
    >
      <Facts read={read} isChanged={isChanged && mayWrite} mayWrite={mayWrite} />
      {done !== undefined && !isChanged && (
        <Note tone="good">
          <p>{done}</p>
        </Note>
      )}
      {theirs !== undefined && <ConflictNote editing={editing} theirs={theirs} />}
      <Tabs.Root defaultValue="rule" className="stack">
        <Tabs.List className="tabs-list" aria-label="About the policy">
          <Tabs.Trigger value="rule">Rule</Tabs.Trigger>
          <Tabs.Trigger value="preview">Preview</Tabs.Trigger>
          {may("simulate", projectId) && <Tabs.Trigger value="impact">Impact</Tabs.Trigger>}
          {!isNew && <Tabs.Trigger value="versions">Versions</Tabs.Trigger>}
        </Tabs.List>
        {/* It stays, hidden: the editor keeps its caret and what can be undone. */}
        <Tabs.Content value="rule" forceMount className="tab-rule" tabIndex={-1}>
          <RuleEditor
            projectId={projectId}
            draft={draft}
            onChange={(next) => {
              setDone(undefined);
              editing.change(next);
            }}
            validation={validation}
            isNew={isNew}
            isReadOnly={!mayWrite}
          />
        </Tabs.Content>
        <Tabs.Content value="preview" tabIndex={-1}>
          <Preview projectId={projectId} draft={draft} />
        </Tabs.Content>
        <Tabs.Content value="impact" tabIndex={-1}>
          <Impact projectId={projectId} draft={draft} inputs={inputs} onInputs={setInputs} />
        </Tabs.Content>
        {read !== undefined && (
          <Tabs.Content value="versions" tabIndex={-1}>
            <Versions
              projectId={projectId}
              policy={read}
              inputs={inputs}
              onRolledBack={(version) =>
                setDone(`Rolled back to version ${version}. It is live within two seconds.`)
              }
            />
          </Tabs.Content>
        )}
      </Tabs.Root>
      {isSaving && (
        <SaveDialog
          projectId={projectId}
          editing={editing}
          validation={validation}
          inputs={inputs}
          onClose={() => setSaving(false)}
          onSaved={onSaved}
        />
      )}
    </Screen>
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
