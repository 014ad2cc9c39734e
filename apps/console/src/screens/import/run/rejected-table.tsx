import { reasonText, type RejectedLine } from "@ikg/imports/browser";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { PlainText } from "../../../components/plain-text.tsx";

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

interface RejectedTableProps {
  /** Differs from that of another such table on the page. */
  readonly label: string;
  readonly lines: readonly RejectedLine[];
}

/** Lines that are not in the graph, or would not be, with the reasons. */
export const RejectedTable = ({ label, lines }: RejectedTableProps) => (
  <DataTable label={label} columns={columns} rows={lines} keyOf={keyOf} />
);
