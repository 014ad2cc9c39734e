import { useNavigate, useSearch } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { useState } from "react";
import type { RecordValidation } from "../../../parts/record-editor/use-check.ts";
import type { QueryEditing, ReadQuery } from "../draft/use-query-draft.ts";
import { QueryPreview } from "../preview/query-preview.tsx";
import { isQueryTab, type QueryTab, querySearch } from "../query-search.ts";
import { Run } from "../run/run.tsx";
import type { QueryPolicies } from "../use-query-policies.ts";
import { QueryVersions } from "../versions/query-versions.tsx";
import { QueryEditor } from "./query-editor.tsx";

interface QueryTabsProps {
  readonly projectId: string;
  /** Undefined for a new query. */
  readonly read: ReadQuery | undefined;
  readonly editing: QueryEditing;
  readonly validation: RecordValidation;
  readonly policies: QueryPolicies;
  readonly isReadOnly: boolean;
  readonly onTyped: () => void;
  readonly onRolledBack: (version: number) => void;
}

/** The text of a query, its rows, what runs, and what it said before. */
export const QueryTabs = (props: QueryTabsProps) => {
  const { projectId, read, editing, validation, policies, isReadOnly, onTyped, onRolledBack } = props;
  const { draft } = editing;
  const navigate = useNavigate();
  const search = querySearch({ ...useSearch({ strict: false }) });
  const [newTab, setNewTab] = useState<QueryTab>();
  const tab = read === undefined ? newTab : search.tab;
  return (
    <Tabs.Root
      value={tab ?? "query"}
      onValueChange={(next) => {
        const chosen = isQueryTab(next) ? next : undefined;
        setNewTab(chosen);
        if (read === undefined) return;
        const { params } = search;
        void navigate({
          to: "/queries/$query",
          params: { query: read.record.name },
          replace: true,
          search: { ...(params !== undefined && { params }), ...(chosen !== undefined && { tab: chosen }) },
        });
      }}
      className="stack"
    >
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
        <QueryPreview projectId={projectId} draft={draft} policy={policies.policies?.get(draft.policyId)} />
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
              params={search.params}
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
