import { MappingFileFault, rejectedText } from "@ikg/imports/browser";
import { useMemo } from "react";
import { countText } from "../../../text/count-text.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { type PreviewNode, previewOf, type PreviewRelationship } from "./captured-line.ts";
import type { usePreview } from "./use-preview.ts";

const nodeColumns: readonly Column<PreviewNode>[] = [
  { id: "type", header: "Type", cell: ({ type }) => <PlainText text={type} limit={64} /> },
  { id: "id", header: "Id", cell: ({ externalId }) => <PlainText text={externalId} limit={80} mono /> },
  {
    id: "properties",
    header: "Properties",
    look: "wide",
    cell: ({ properties }) => properties !== "" && <PlainText text={properties} limit={300} />,
  },
  { id: "place", header: "Row", cell: ({ place }) => <PlainText text={place} limit={80} /> },
];

const relationshipColumns: readonly Column<PreviewRelationship>[] = [
  { id: "source", header: "From", cell: ({ source }) => <PlainText text={source} limit={100} /> },
  { id: "type", header: "Type", cell: ({ type }) => <PlainText text={type} limit={128} /> },
  { id: "target", header: "To", cell: ({ target }) => <PlainText text={target} limit={100} /> },
  {
    id: "properties",
    header: "Properties",
    look: "wide",
    cell: ({ properties }) => properties !== "" && <PlainText text={properties} limit={300} />,
  },
  { id: "place", header: "Row", cell: ({ place }) => <PlainText text={place} limit={80} /> },
];

const keyOf = ({ id }: { readonly id: string }): string => id;

/** The first nodes and relationships, as they would be written. */
export const Preview = ({ preview }: { readonly preview: ReturnType<typeof usePreview> }) => {
  const { data, error, isReady } = preview;
  const shown = useMemo(() => previewOf(data?.first ?? []), [data]);
  if (!isReady) return null;
  return (
    <section className="stack" aria-label="Preview">
      <h2>Preview of the first rows</h2>
      {data === undefined && error === null && <Loading what="the first rows" />}
      {error !== null && <PreviewFault error={error} />}
      {data !== undefined && data.faults.length > 0 && (
        <Note tone="warn">
          <p>Of the first {countText(data.rows, "row")}, these would be rejected:</p>
          <ul>
            {data.faults.map((fault) => (
              <li key={rejectedText(fault)}>
                <PlainText text={rejectedText(fault)} limit={300} />
              </li>
            ))}
          </ul>
        </Note>
      )}
      {data !== undefined && shown.nodes.length + shown.relationships.length === 0 && (
        <p className="hint">
          The mapping produces no nodes or relationships yet: add a node type or a relationship.
        </p>
      )}
      {shown.nodes.length > 0 && (
        <DataTable label="First nodes" columns={nodeColumns} rows={shown.nodes} keyOf={keyOf} />
      )}
      {shown.relationships.length > 0 && (
        <DataTable
          label="First relationships"
          columns={relationshipColumns}
          rows={shown.relationships}
          keyOf={keyOf}
        />
      )}
    </section>
  );
};

/** What does not fit, in words of the mapping. */
const PreviewFault = ({ error }: { readonly error: Error }) => {
  const messages =
    error instanceof MappingFileFault ? error.faults.map(({ message }) => message) : [error.message];
  return (
    <Note tone="warn">
      <p>The mapping is not complete:</p>
      <ul>
        {messages.map((message) => (
          <li key={message}>
            <PlainText text={message} limit={400} />
          </li>
        ))}
      </ul>
    </Note>
  );
};
