import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Instant } from "../../../components/instant.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { ValueText } from "../node/value-text.tsx";
import { NodeLink } from "../node-link.tsx";
import type { Expansions, GraphNode, GraphRelationship, Neighbourhood } from "./neighbourhood.ts";

interface Row extends GraphRelationship {
  readonly from: GraphNode;
  readonly to: GraphNode;
}

interface RelationshipTableProps {
  readonly shown: Neighbourhood;
  readonly expansions: Expansions;
  readonly onExpand: (node: GraphNode) => void;
}

const columnsOf = (expansions: Expansions, onExpand: (node: GraphNode) => void): readonly Column<Row>[] => [
  {
    id: "from",
    header: "From",
    cell: ({ from }) => <End node={from} isExpanded={expansions.has(from.key)} onExpand={onExpand} />,
    sortBy: ({ from }) => `${from.type} ${from.external_id}`,
  },
  {
    id: "relationship",
    header: "Relationship",
    cell: ({ type }) => <PlainText text={type} limit={60} mono />,
    sortBy: ({ type }) => type,
  },
  {
    id: "to",
    header: "To",
    cell: ({ to }) => <End node={to} isExpanded={expansions.has(to.key)} onExpand={onExpand} />,
    sortBy: ({ to }) => `${to.type} ${to.external_id}`,
  },
  {
    id: "properties",
    header: "Properties",
    cell: ({ properties }) => <Properties properties={properties} />,
    look: "wide",
  },
  {
    id: "changed",
    header: "Changed",
    cell: ({ updateTime: at }) => (at === undefined ? null : <Instant at={at} />),
    sortBy: ({ updateTime: at }) => at ?? "",
  },
];

interface EndProps {
  readonly node: GraphNode;
  readonly isExpanded: boolean;
  readonly onExpand: (node: GraphNode) => void;
}

const End = ({ node, isExpanded, onExpand }: EndProps) => (
  <span className="end">
    <NodeLink node={node} withType />
    {!isExpanded && (
      <button
        type="button"
        className="button small quiet"
        title="Also show its neighbours"
        onClick={() => onExpand(node)}
      >
        Expand
        <span className="visually-hidden">
          {" "}
          <PlainText text={node.external_id} limit={80} />
        </span>
      </button>
    )}
  </span>
);

const Properties = ({ properties }: Pick<Row, "properties">) =>
  properties.length === 0 ? null : (
    <dl className="metadata">
      {properties.map(({ type, value }) => (
        <div key={type}>
          <dt>
            <PlainText text={type} limit={60} />
          </dt>
          <dd>
            <ValueText value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );

/** Every relationship of the neighbourhood: what the drawing shows, in words. */
export const RelationshipTable = ({ shown, expansions, onExpand }: RelationshipTableProps) => {
  const columns = useMemo(() => columnsOf(expansions, onExpand), [expansions, onExpand]);
  const rows = useMemo(
    () =>
      shown.relationships.flatMap((relationship): Row[] => {
        const [from, to] = [shown.nodes.get(relationship.source), shown.nodes.get(relationship.target)];
        return from === undefined || to === undefined ? [] : [{ ...relationship, from, to }];
      }),
    [shown],
  );
  return <DataTable label="Relationships" columns={columns} rows={rows} keyOf={({ key }) => key} />;
};
