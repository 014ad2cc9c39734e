import type { KnowledgeQueryRecord } from "@ikg/client";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { displayText } from "../../../text/display-text.ts";
import { statusColumn } from "../../../editors/record-editor/record-columns.tsx";
import type { QueryPolicies, QueryPolicy } from "../use-query-policies.ts";

interface PolicyTableProps {
  readonly policies: QueryPolicies;
  readonly queries: readonly KnowledgeQueryRecord[];
  readonly mayCreate: boolean;
}

interface Row extends QueryPolicy {
  readonly queries: number;
}

const subjectOf = ({ allowed }: Row): string =>
  allowed.subjectType === "_Application" ? "the application" : allowed.subjectType;

const Paths = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length === 0 ? (
    <span className="soft">nothing</span>
  ) : (
    <PlainText text={texts.join(", ")} limit={160} />
  );

const readsOf = ({ allowed }: Row): readonly string[] => [
  ...allowed.nodes,
  ...allowed.relationships,
  ...allowed.aggregateValues,
];

const writesOf = ({ allowed }: Row): readonly string[] => [
  ...allowed.nodeTypes.map((type) => `new ${type}`),
  ...allowed.existingNodes,
  ...allowed.relationshipTypes.map(({ type, source, target }) => `(${source})-[${type}]->(${target})`),
  ...allowed.existingRelationships,
  ...[...allowed.deleteNodes, ...allowed.deleteRelationships].map((path) => `delete ${path}`),
];

const columnsFor = (mayCreate: boolean): readonly Column<Row>[] => [
  {
    id: "name",
    header: "Policy for queries",
    cell: ({ record: { name } }) => (
      <span className="record-name">
        <Link to="/policies/$policy" params={{ policy: name }}>
          <PlainText text={name} limit={120} />
        </Link>
      </span>
    ),
    sortBy: ({ record }) => record.name,
  },
  {
    id: "subject",
    header: "Who",
    cell: (row) => <PlainText text={subjectOf(row)} limit={60} />,
    sortBy: subjectOf,
  },
  { id: "reads", header: "May read", look: "wide", cell: (row) => <Paths texts={readsOf(row)} /> },
  { id: "writes", header: "May write", cell: (row) => <Paths texts={writesOf(row)} /> },
  statusColumn,
  {
    id: "queries",
    header: "Queries",
    look: "number",
    cell: ({ queries }) => queries,
    sortBy: ({ queries }) => queries,
  },
  ...(mayCreate
    ? [
        {
          id: "new",
          header: "New",
          cell: ({ record: { name } }: Row) => (
            <Link
              to="/queries/-/new"
              search={{ policy: name }}
              className="button small"
              aria-label={`New query under ${displayText(name, 80)}`}
            >
              New query
            </Link>
          ),
        },
      ]
    : []),
];

/** Policies for queries: what may be read and written at most, and by how many queries it is. */
export const PolicyTable = ({ policies: { policies }, queries, mayCreate }: PolicyTableProps) => {
  const rows = useMemo(
    () =>
      [...(policies?.values() ?? [])].map((policy): Row => ({
        ...policy,
        queries: queries.filter(({ policy_id: id }) => id === policy.record.id).length,
      })),
    [policies, queries],
  );
  const columns = useMemo(() => columnsFor(mayCreate), [mayCreate]);
  if (rows.length === 0) return null;
  return (
    <section className="stack tight">
      <h2>What policies allow at most</h2>
      <DataTable
        label="Policies for queries"
        columns={columns}
        rows={rows}
        keyOf={({ record }) => record.id}
      />
    </section>
  );
};
