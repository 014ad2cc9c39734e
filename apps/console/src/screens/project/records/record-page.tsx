import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { displayText } from "../../../text/display-text.ts";
import { useMay } from "../../../session/use-admin.ts";
import { Author } from "../author.tsx";
import { AbsentRecord, BackToList } from "./back-to-list.tsx";
import { Facts } from "./facts.tsx";
import { RecordDialog } from "./record-dialog.tsx";
import type { RecordKindView } from "./record-kind-view.ts";
import { RemoveRecord } from "./remove-record.tsx";
import { type NamedRecord, type ReadRecord, useRecord } from "./use-records.ts";

interface RecordPageProps<Row extends NamedRecord> {
  readonly projectId: string;
  readonly kind: RecordKindView<Row>;
  readonly name: string;
  readonly refetchInterval?: (row: Row | undefined) => number | false;
  /** Below what the record says. */
  readonly children?: (record: Row) => ReactNode;
}

/** One record: what it says, and the ways to change and to remove it. */
export const RecordPage = <Row extends NamedRecord>(props: RecordPageProps<Row>) => {
  const { projectId, kind, name, refetchInterval, children } = props;
  const query = useRecord<Row>(projectId, kind.collection, name, refetchInterval && { refetchInterval });
  return (
    <Loaded query={query} what={`the ${kind.singular}`}>
      {(read) =>
        read === null ? (
          <AbsentRecord kind={kind} name={name} />
        ) : (
          <div className="stack">
            <BackToList kind={kind} />
            <RecordCard projectId={projectId} kind={kind} read={read} />
            {children?.(read.record)}
          </div>
        )
      }
    </Loaded>
  );
};

interface RecordCardProps<Row extends NamedRecord> {
  readonly projectId: string;
  readonly kind: RecordKindView<Row>;
  readonly read: ReadRecord<Row>;
}

const RecordCard = <Row extends NamedRecord>({ projectId, kind, read }: RecordCardProps<Row>) => {
  const { record } = read;
  return (
    <section className="card stack" aria-label={displayText(record.name, 80)}>
      <div className="row spread record-head">
        <div>
          <h2>
            <PlainText text={record.display_name} limit={120} />
          </h2>
          {record.display_name !== record.name && (
            <p className="hint mono">
              <PlainText text={record.name} limit={120} />
            </p>
          )}
        </div>
        <RecordActions projectId={projectId} kind={kind} read={read} />
      </div>
      {record.description !== undefined && (
        <p>
          <PlainText text={record.description} limit={2_000} />
        </p>
      )}
      <Facts facts={kind.factsOf(record)} />
      <p className="hint">
        Created <Instant at={record.create_time} /> by <Author projectId={projectId} id={record.created_by} />
        {record.update_time !== record.create_time && (
          <>
            ; changed <Instant at={record.update_time} /> by{" "}
            <Author projectId={projectId} id={record.updated_by} />
          </>
        )}
      </p>
    </section>
  );
};

const RecordActions = <Row extends NamedRecord>({ projectId, kind, read }: RecordCardProps<Row>) => {
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  const navigate = useNavigate();
  return (
    <div className="row">
      {may(`update_${kind.operation}`, projectId) && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          Change
        </button>
      )}
      {may(`delete_${kind.operation}`, projectId) && (
        <RemoveRecord
          projectId={projectId}
          kind={kind}
          read={read}
          onRemoved={() =>
            navigate({
              to: "/project/$tab",
              params: { tab: kind.tab === "agents" ? "applications" : kind.tab },
            })
          }
        />
      )}
      {isOpen && (
        <RecordDialog
          projectId={projectId}
          kind={kind}
          edited={read}
          onClose={() => setOpen(false)}
          onSaved={() => setOpen(false)}
        />
      )}
    </div>
  );
};
