import { Tabs } from "radix-ui";
import type { RecordStatus } from "../../../editors/record-editor/record-draft.ts";
import type { RecordValidation } from "../../../editors/record-editor/use-check.ts";
import { useSampling } from "../../../editors/statements/use-sampling.ts";
import type { QueryEditing, ReadQuery } from "../draft/use-query-draft.ts";
import { QueryPreview } from "../preview/query-preview.tsx";
import { Run } from "../run/run.tsx";
import type { QueryPolicies } from "../use-query-policies.ts";
import { QueryVersions } from "../versions/query-versions.tsx";
import { QueryEditor } from "./query-editor.tsx";
import { useQueryTab } from "./use-query-tab.ts";

interface QueryTabsProps {
  readonly projectId: string;
  /** Undefined for a new query. */
  readonly read: ReadQuery | undefined;
  readonly editing: QueryEditing;
  readonly validation: RecordValidation;
  readonly policies: QueryPolicies;
  readonly isReadOnly: boolean;
  readonly onTyped: () => void;
  readonly onRolledBack: (version: number, status: RecordStatus) => void;
}

/** The text of a query, its rows, what runs, and what it said before. */
export const QueryTabs = (props: QueryTabsProps) => {
  const { projectId, read, editing, validation, policies, isReadOnly, onTyped, onRolledBack } = props;
  const { draft } = editing;
  const { tab, openTab, params } = useQueryTab(read);
  const sampling = useSampling();
  const policy = policies.policies?.get(draft.policyId);
  return (
    <Tabs.Root value={tab} onValueChange={openTab} className="stack">
      <Tabs.List className="tabs-list" aria-label="About the query">
        <Tabs.Trigger value="query">Query</Tabs.Trigger>
        {read !== undefined && <Tabs.Trigger value="run">Run</Tabs.Trigger>}
        <Tabs.Trigger value="preview">Preview</Tabs.Trigger>
        {read !== undefined && <Tabs.Trigger value="versions">Versions</Tabs.Trigger>}
      </Tabs.List>
      {/* It stays, hidden: the editor keeps its caret and what can be undone. */}
      <Tabs.Content value="query" forceMount className="tab-text" tabIndex={-1}>
        <QueryEditor
          projectId={projectId}
          draft={draft}
          policies={policies}
          validation={validation}
          isNew={read === undefined}
          isReadOnly={isReadOnly}
          onChange={(next) => {
            onTyped();
            editing.change(next);
          }}
        />
      </Tabs.Content>
      <Tabs.Content value="preview" tabIndex={-1}>
        <QueryPreview projectId={projectId} draft={draft} policy={policy} sampling={sampling} />
      </Tabs.Content>
      {read !== undefined && (
        <>
          {/* The result of a run stays while another tab is open. */}
          <Tabs.Content value="run" forceMount className="tab-text" tabIndex={-1}>
            <Run
              projectId={projectId}
              query={read.record}
              policy={policies.policies?.get(read.record.policy_id)}
              isChanged={editing.isChanged}
              params={params}
            />
          </Tabs.Content>
          <Tabs.Content value="versions" tabIndex={-1}>
            <QueryVersions
              projectId={projectId}
              query={read}
              names={policies.names}
              onRolledBack={onRolledBack}
            />
          </Tabs.Content>
        </>
      )}
    </Tabs.Root>
  );
};
