import { Tabs } from "radix-ui";
import { useState } from "react";
import type { RecordStatus } from "../../../editors/record-editor/record-draft.ts";
import type { RecordValidation } from "../../../editors/record-editor/use-check.ts";
import { useSampling } from "../../../editors/statements/use-sampling.ts";
import { useMay } from "../../../session/use-admin.ts";
import type { PolicyEditing, ReadPolicy } from "../draft/use-policy-draft.ts";
import type { ImpactInputs } from "../impact/impact-of.ts";
import { Impact } from "../impact/impact.tsx";
import { Preview } from "../preview/preview.tsx";
import { PolicyVersions } from "../versions/policy-versions.tsx";
import { RuleEditor } from "./rule-editor.tsx";

interface PolicyTabsProps {
  readonly projectId: string;
  /** Undefined for a new policy. */
  readonly read: ReadPolicy | undefined;
  readonly editing: PolicyEditing;
  readonly validation: RecordValidation;
  readonly inputs: ImpactInputs;
  readonly isReadOnly: boolean;
  readonly onInputs: (inputs: ImpactInputs) => void;
  readonly onTyped: () => void;
  readonly onRolledBack: (version: number, status: RecordStatus) => void;
}

/** The rule of a policy, with its preview, impact and versions. */
export const PolicyTabs = (props: PolicyTabsProps) => {
  const { projectId, read, editing, validation, inputs, isReadOnly, onInputs, onTyped, onRolledBack } = props;
  const maySimulate = useMay()("simulate", projectId);
  // Held here, so that another tab does not lose it.
  const [inputsDraft, setInputsDraft] = useState(inputs);
  const sampling = useSampling();
  const { draft } = editing;
  return (
    <Tabs.Root defaultValue="rule" className="stack">
      <Tabs.List className="tabs-list" aria-label="About the policy">
        <Tabs.Trigger value="rule">Rule</Tabs.Trigger>
        <Tabs.Trigger value="preview">Preview</Tabs.Trigger>
        {maySimulate && <Tabs.Trigger value="impact">Impact</Tabs.Trigger>}
        {read !== undefined && <Tabs.Trigger value="versions">Versions</Tabs.Trigger>}
      </Tabs.List>
      {/* It stays, hidden: the editor keeps its caret and what can be undone. */}
      <Tabs.Content value="rule" forceMount className="tab-text" tabIndex={-1}>
        <RuleEditor
          projectId={projectId}
          draft={draft}
          onChange={(next) => {
            onTyped();
            editing.change(next);
          }}
          validation={validation}
          isNew={read === undefined}
          isReadOnly={isReadOnly}
        />
      </Tabs.Content>
      <Tabs.Content value="preview" tabIndex={-1}>
        <Preview projectId={projectId} draft={draft} sampling={sampling} />
      </Tabs.Content>
      <Tabs.Content value="impact" tabIndex={-1}>
        <Impact
          projectId={projectId}
          draft={draft}
          inputs={inputs}
          onInputs={onInputs}
          inputsDraft={inputsDraft}
          onInputsDraft={setInputsDraft}
        />
      </Tabs.Content>
      {read !== undefined && (
        <Tabs.Content value="versions" tabIndex={-1}>
          <PolicyVersions projectId={projectId} policy={read} inputs={inputs} onRolledBack={onRolledBack} />
        </Tabs.Content>
      )}
    </Tabs.Root>
  );
};
