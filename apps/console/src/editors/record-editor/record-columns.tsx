import type { ReactNode } from "react";
import type { Column } from "../../components/data-table.tsx";
import { Instant } from "../../components/instant.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import type { RecordStatus } from "./record-draft.ts";
import { StatusTag } from "./status-tag.tsx";

interface ListedRow {
  readonly record: {
    readonly name: string;
    readonly display_name: string;
    readonly status: RecordStatus;
    readonly update_time: string;
  };
}

interface RecordNameProps {
  readonly record: ListedRow["record"];
  /** Something of it is typed and not saved. */
  readonly hasDraft: boolean;
  /** The link, with the name in it. */
  readonly children: ReactNode;
}

/** What a record is called in a list. */
export const RecordName = ({ record, hasDraft, children }: RecordNameProps) => (
  <span className="record-name">
    {children}
    {record.display_name !== record.name && (
      <small>
        <PlainText text={record.display_name} limit={120} />
      </small>
    )}
    {hasDraft && <span className="tag warn draft-tag">Not saved</span>}
  </span>
);

export const statusColumn: Column<ListedRow> = {
  id: "status",
  header: "Status",
  cell: ({ record }) => <StatusTag status={record.status} />,
  sortBy: ({ record }) => record.status,
};

export const changedColumn: Column<ListedRow> = {
  id: "changed",
  header: "Changed",
  cell: ({ record }) => <Instant at={record.update_time} />,
  sortBy: ({ record }) => record.update_time,
};
