import { reasonText, type RejectedLine } from "@ikg/imports/browser";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";

const columns: readonly Column<RejectedLine>[] = [
  { id: "file", header: "File", cell: ({ file }) => <PlainText text={file} limit={60} /> },
  { id: "line", header: "Line", look: "number", cell: ({ line, row }) => line ?? `row ${row}` },
  {
    id: "reason",
    header: "Reason",
    look: "wide",
    cell: (rejected) => <PlainText text={reasonText(rejected)} limit={400} />,
  },
  { id: "text", header: "Text", cell: ({ text }) => <PlainText text={text} limit={120} mono /> },
];

const keyOf = ({ file, row, kind, errors }: RejectedLine): string =>
  JSON.stringify([file, row, kind, errors]);

/** Lines that are not in the graph, with the reasons. */
export const RejectedTable = ({ lines }: { readonly lines: readonly RejectedLine[] }) => (
  <DataTable label="Rejected lines" columns={columns} rows={lines} keyOf={keyOf} />
);
