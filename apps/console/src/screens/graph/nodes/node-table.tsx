import type { NodeSummary } from "@ikg/client";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Instant } from "../../../components/instant.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { NodeLink } from "../node-link.tsx";
import { TypeMark } from "../type-mark.tsx";

const keyOf = ({ type, external_id }: NodeSummary): string => JSON.stringify([type, external_id]);

const columns: readonly Column<NodeSummary>[] = [
  {
    id: "type",
    header: "Type",
    cell: ({ type }) => (
      <span className="node-link type-name">
        <TypeMark type={type} />
        <PlainText text={type} limit={40} />
      </span>
    ),
    sortBy: ({ type }) => type,
  },
  {
    id: "id",
    header: "Id",
    cell: (node) => <NodeLink node={node} />,
    sortBy: ({ external_id: id }) => id,
    look: "wide",
  },
  {
    id: "labels",
    header: "Labels",
    cell: ({ labels, is_identity: isIdentity }) => <PlainLabels labels={labels} isIdentity={isIdentity} />,
  },
  {
    id: "changed",
    header: "Changed",
    cell: ({ update_time: at }) => (at === undefined ? null : <Instant at={at} />),
    sortBy: ({ update_time: at }) => at ?? "",
  },
];

const PlainLabels = ({ labels, isIdentity }: { labels: readonly string[]; isIdentity: boolean }) => (
  <span className="row">
    {isIdentity && <span className="tag">identity</span>}
    {labels.map((label) => (
      <span className="tag" key={label}>
        <PlainText text={label} limit={40} />
      </span>
    ))}
  </span>
);

/** Nodes as a table. */
export const NodeTable = ({ rows }: { readonly rows: readonly NodeSummary[] }) => (
  <DataTable label="Nodes" columns={columns} rows={rows} keyOf={keyOf} />
);
