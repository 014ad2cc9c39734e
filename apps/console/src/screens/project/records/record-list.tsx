import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { RecordDialog } from "./record-dialog.tsx";
import type { RecordKindView } from "./record-kind-view.ts";
import { RecordLink } from "./record-link.tsx";
import { type NamedRecord, useRecords } from "./use-records.ts";

interface RecordListProps<Row extends NamedRecord> {
  readonly projectId: string;
  readonly kind: RecordKindView<Row>;
  /** What such records are for. */
  readonly purpose: string;
  /** Shown while there is none, where that is a normal state. */
  readonly withoutAny?: string;
  /** The most that a project may have. */
  readonly max?: number;
  /** Absent: not read again by itself. */
  readonly refetchInterval?: (rows: readonly Row[] | undefined) => number | false;
  /** Below the list, for what is there. */
  readonly children?: (rows: readonly Row[]) => ReactNode;
}

/** The records of a collection, and the button that creates one. */
export const RecordList = <Row extends NamedRecord>(props: RecordListProps<Row>) => {
  const { projectId, kind, purpose, withoutAny, max = Infinity, refetchInterval, children } = props;
  const mayCreate = useMay()(`create_${kind.operation}`, projectId);
  const query = useRecords<Row>(projectId, kind.collection, refetchInterval && { refetchInterval });
  return (
    <Loaded query={query} what={`the ${kind.plural}`}>
      {(rows) => (
        <div className="stack">
          <div className="row spread">
            <p className="hint">{purpose}</p>
            {mayCreate && rows.length < max && <NewRecord projectId={projectId} kind={kind} />}
          </div>
          {rows.length === 0 ? (
            <Empty title={`No ${kind.singular} yet`}>
              {withoutAny !== undefined && <p>{withoutAny}</p>}
              <p>
                {mayCreate
                  ? `Create one with “New ${kind.singular}”.`
                  : "Your roles allow reading them but not creating them."}
              </p>
            </Empty>
          ) : (
            <RecordTable kind={kind} rows={rows} />
          )}
          {children?.(rows)}
        </div>
      )}
    </Loaded>
  );
};

const RecordTable = <Row extends NamedRecord>({
  kind,
  rows,
}: {
  readonly kind: RecordKindView<Row>;
  readonly rows: readonly Row[];
}) => {
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      {
        id: "name",
        header: "Name",
        cell: ({ name, display_name }) => (
          <RecordLink tab={kind.tab} name={name} displayName={display_name} />
        ),
        sortBy: ({ name }) => name,
      },
      ...kind.columns,
      {
        id: "changed",
        header: "Changed",
        cell: ({ update_time }) => <Instant at={update_time} />,
        sortBy: ({ update_time }) => update_time,
      },
    ],
    [kind],
  );
  return <DataTable label={kind.plural} columns={columns} rows={rows} keyOf={({ id }) => id} />;
};

interface NewRecordProps<Row extends NamedRecord> {
  readonly projectId: string;
  readonly kind: RecordKindView<Row>;
  readonly context?: Readonly<Record<string, string>>;
  readonly isQuiet?: boolean;
}

/** Creates a record, and opens it. */
export const NewRecord = <Row extends NamedRecord>({
  projectId,
  kind,
  context,
  isQuiet,
}: NewRecordProps<Row>) => {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <button
        type="button"
        className={isQuiet === true ? "button" : "button primary"}
        onClick={() => setOpen(true)}
      >
        <Icon name="plus" />
        New {kind.singular}
      </button>
      {isOpen && (
        <RecordDialog
          projectId={projectId}
          kind={kind}
          {...(context !== undefined && { context })}
          onClose={() => setOpen(false)}
          onSaved={({ name }) => {
            setOpen(false);
            void navigate({ to: "/project/$tab/$record", params: { tab: kind.tab, record: name } });
          }}
        />
      )}
    </>
  );
};
