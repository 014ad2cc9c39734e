import type { ReadProperty } from "@ikg/client";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Instant } from "../../../components/instant.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { metadataEntries } from "./metadata-entries.ts";
import { PropertyValue, ValueText } from "./value-text.tsx";

const columns: readonly Column<ReadProperty>[] = [
  {
    id: "name",
    header: "Property",
    cell: ({ type }) => <PlainText text={type} limit={80} mono />,
    sortBy: ({ type }) => type,
  },
  { id: "value", header: "Value", cell: (property) => <PropertyValue property={property} />, look: "wide" },
  {
    id: "metadata",
    header: "Metadata",
    cell: ({ metadata }) => <Metadata metadata={metadata ?? {}} />,
  },
  {
    id: "changed",
    header: "Changed",
    cell: ({ update_time: at }) => (at === undefined ? null : <Instant at={at} />),
    sortBy: ({ update_time: at }) => at ?? "",
  },
];

const Metadata = ({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }) => {
  const entries = metadataEntries(metadata);
  if (entries.length === 0) return null;
  return (
    <dl className="metadata">
      {entries.map(({ name, value, instant }) => (
        <div key={name}>
          <dt>
            <PlainText text={name} limit={60} />
          </dt>
          <dd>{instant === undefined ? <ValueText value={value} /> : <Instant at={instant} />}</dd>
        </div>
      ))}
    </dl>
  );
};

/** Properties of a node with their metadata. */
export const PropertyTable = ({ properties }: { readonly properties: readonly ReadProperty[] }) =>
  properties.length === 0 ? (
    <p className="hint">It has no properties.</p>
  ) : (
    <DataTable label="Properties" columns={columns} rows={properties} keyOf={({ type }) => type} />
  );
