import type { DataSchema } from "@ikg/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { LookCopies } from "../copy/look-copies.tsx";
import { NeighbourhoodDrawing } from "../drawing/neighbourhood-drawing.tsx";
import { GraphScreen } from "../graph-screen.tsx";
import { elementCount } from "../neighbourhood/neighbourhood.ts";
import { EmptyGraph } from "../nodes/empty-graph.tsx";
import { TypeMark } from "../type-mark.tsx";
import { useSchema } from "../../../queries/use-schema.ts";
import {
  type NodeTypeRow,
  nodeTypeRows,
  type PropertyCount,
  type RelationshipTypeRow,
  relationshipTypeRows,
  schemaGraph,
} from "./schema-rows.ts";

/** A schema of more types is a table alone. */
const maxDrawn = 300;

const TypeLink = ({ type }: { readonly type: string }) => (
  <Link to="/graph" search={{ type }} className="node-link type-name">
    <TypeMark type={type} />
    <PlainText text={type} limit={40} />
  </Link>
);

const Properties = ({ properties }: { readonly properties: readonly PropertyCount[] }) => (
  <ul className="property-counts">
    {properties.map(({ name, count, types }) => (
      <li key={name}>
        <PlainText text={name} limit={60} mono />{" "}
        <span className="hint">
          {types}, {count.toLocaleString()}
        </span>
      </li>
    ))}
  </ul>
);

const nodeColumns: readonly Column<NodeTypeRow>[] = [
  { id: "type", header: "Type", cell: ({ type }) => <TypeLink type={type} />, sortBy: ({ type }) => type },
  {
    id: "count",
    header: "Nodes",
    cell: ({ count }) => count.toLocaleString(),
    sortBy: ({ count }) => count,
    look: "number",
  },
  {
    id: "identities",
    header: "Identities",
    cell: ({ identities }) => identities.toLocaleString(),
    sortBy: ({ identities }) => identities,
    look: "number",
  },
  {
    id: "properties",
    header: "Properties",
    cell: ({ properties }) => <Properties properties={properties} />,
    look: "wide",
  },
];

const relationshipColumns: readonly Column<RelationshipTypeRow>[] = [
  {
    id: "from",
    header: "From",
    cell: ({ source }) => <TypeLink type={source} />,
    sortBy: ({ source }) => source,
  },
  {
    id: "type",
    header: "Relationship",
    cell: ({ type }) => <PlainText text={type} limit={60} mono />,
    sortBy: ({ type }) => type,
  },
  {
    id: "to",
    header: "To",
    cell: ({ target }) => <TypeLink type={target} />,
    sortBy: ({ target }) => target,
  },
  {
    id: "count",
    header: "Number",
    cell: ({ count }) => count.toLocaleString(),
    sortBy: ({ count }) => count,
    look: "number",
  },
  {
    id: "properties",
    header: "Properties",
    cell: ({ properties }) => <Properties properties={properties} />,
    look: "wide",
  },
];

/** Which types there are, and how many of each. */
export const TypesScreen = () => <GraphScreen>{(projectId) => <Types projectId={projectId} />}</GraphScreen>;

const Types = ({ projectId }: { readonly projectId: string }) => (
  <Loaded query={useSchema(projectId)} what="the types">
    {(schema) => (schema === null ? <EmptyGraph /> : <Schema projectId={projectId} schema={schema} />)}
  </Loaded>
);

interface SchemaProps {
  readonly projectId: string;
  readonly schema: DataSchema;
}

const Schema = ({ projectId, schema }: SchemaProps) => {
  const nodes = useMemo(() => nodeTypeRows(schema), [schema]);
  const relationships = useMemo(() => relationshipTypeRows(schema), [schema]);
  return (
    <>
      <div className="list-head">
        <p className="hint">
          Counted <Instant at={schema.graph.metadata.updated_at} />; counts are at most a minute old.
        </p>
        <LookCopies look={{ kind: "schema" }} projectId={projectId} label="Copy the types" />
      </div>
      <SchemaDrawing nodes={nodes} relationships={relationships} />
      <section className="stack">
        <h2>Types of nodes</h2>
        <DataTable label="Types of nodes" columns={nodeColumns} rows={nodes} keyOf={({ type }) => type} />
      </section>
      <section className="stack">
        <h2>Types of relationships</h2>
        {relationships.length === 0 ? (
          <p className="hint">No node is related to another one yet.</p>
        ) : (
          <DataTable
            label="Types of relationships"
            columns={relationshipColumns}
            rows={relationships}
            keyOf={({ key }) => key}
          />
        )}
      </section>
    </>
  );
};

const noneExpanded: ReadonlySet<string> = new Set();

interface SchemaDrawingProps {
  readonly nodes: readonly NodeTypeRow[];
  readonly relationships: readonly RelationshipTypeRow[];
}

/** The types, drawn; a click opens the nodes of one. */
const SchemaDrawing = ({ nodes, relationships }: SchemaDrawingProps) => {
  const navigate = useNavigate();
  const shown = useMemo(() => schemaGraph(nodes, relationships), [nodes, relationships]);
  const [selected, setSelected] = useState(shown.nodes.keys().next().value ?? "");
  if (nodes.length < 2 || elementCount(shown) > maxDrawn) return null;
  const open = (key: string): void => {
    const type = shown.nodes.get(key)?.type;
    if (type !== undefined) void navigate({ to: "/graph", search: { type } });
  };
  return (
    <NeighbourhoodDrawing
      label="Drawing of the types. Arrow keys go from type to type, Enter opens the nodes of one. The tables have the same."
      shown={shown}
      expanded={noneExpanded}
      selected={selected}
      onSelect={setSelected}
      onExpand={open}
    />
  );
};
