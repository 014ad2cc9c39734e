import type { KnowledgeQueryRecord } from "@ikg/client";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCurrentProject } from "../../../app/current-project.ts";
import { screens } from "../../../app/navigation.ts";
import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { useKnowledgeQueries } from "../../../queries/use-knowledge-queries.ts";
import "../../../editors/record-editor/record-editor.css";
import { SearchedTable } from "../../../editors/record-editor/searched-table.tsx";
import { Screen } from "../../../components/screen.tsx";
import { useMay } from "../../../session/use-admin.ts";
import "../queries.css";
import { type QueryPolicies, useQueryPolicies } from "../use-query-policies.ts";
import { PolicyTable } from "./policy-table.tsx";
import { queryColumns, rowOf, searchedText } from "./query-columns.tsx";

/** The stored queries of the project, and the policies that they run under. */
export const Queries = () => {
  const project = useCurrentProject();
  const mayCreate = useMay()("create_knowledge_query", project?.id);
  return (
    <Screen
      title={screens.queries.title}
      question={screens.queries.question}
      actions={
        mayCreate && (
          <Link to="/queries/-/new" className="button primary">
            <Icon name="plus" />
            New query
          </Link>
        )
      }
    >
      {project !== undefined && <QueryList projectId={project.id} mayCreate={mayCreate} />}
    </Screen>
  );
};

interface QueryListProps {
  readonly projectId: string;
  readonly mayCreate: boolean;
}

const QueryList = ({ projectId, mayCreate }: QueryListProps) => {
  const policies = useQueryPolicies(projectId);
  return (
    <div className="stack wide-gap">
      <Loaded query={useKnowledgeQueries(projectId)} what="the queries">
        {(records) => (
          <>
            {records.length === 0 ? (
              <NoQuery hasPolicy={(policies.policies?.size ?? 0) > 0} mayCreate={mayCreate} />
            ) : (
              <QueryTable records={records} policies={policies} />
            )}
            <Loaded query={policies.query} what="the policies">
              {() => <PolicyTable policies={policies} queries={records} mayCreate={mayCreate} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </div>
  );
};

const NoQuery = ({ hasPolicy, mayCreate }: { readonly hasPolicy: boolean; readonly mayCreate: boolean }) => (
  <Empty title="No query yet">
    <p>
      Applications read and write the graph only through stored queries. A query states what it returns or
      writes; its policy limits what it may read and write.
    </p>
    {mayCreate &&
      (hasPolicy ? (
        <Link to="/queries/-/new" className="button primary">
          Write the first query
        </Link>
      ) : (
        <Link to="/policies/-/new" className="button primary">
          Write a policy for queries first
        </Link>
      ))}
  </Empty>
);

interface QueryTableProps {
  readonly records: readonly KnowledgeQueryRecord[];
  readonly policies: QueryPolicies;
}

const QueryTable = ({ records, policies: { names, query } }: QueryTableProps) => {
  const { isPending } = query;
  const rows = useMemo(
    () => records.map((record) => rowOf(record, names, isPending)),
    [records, names, isPending],
  );
  return (
    <SearchedTable
      label="Queries"
      singular="query"
      plural="queries"
      placeholder="Find by name, policy or path"
      hint="Names, policies and paths are searched for each word."
      columns={queryColumns}
      rows={rows}
      keyOf={({ record }) => record.id}
      textOf={searchedText}
    />
  );
};
