import type { Batch, FailedCheck, StoredEvent } from "@ikg/audit/verification";
import { Link } from "@tanstack/react-router";
import { memo, useMemo } from "react";
import { countText } from "../../../text/count-text.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Instant } from "../../../components/instant.tsx";
import { textOf } from "../../../text/json.ts";
import { JsonText } from "../../../components/json-text.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { noNames } from "../records/names.ts";
import { type RecordPlace, rowsOf } from "../records/record-row.ts";
import { RecordTitle } from "../records/record-title.tsx";
import { explainCheck } from "./explain-check.ts";
import type { BrokenLine } from "./run-verification.ts";
import type { VerificationRun } from "./use-verification.ts";

interface BrokenChainProps {
  readonly projectId: string;
  readonly run: VerificationRun;
}

const columns: readonly Column<FailedCheck>[] = [
  {
    id: "record",
    header: "Place",
    cell: ({ record }) => (
      <span className="check-place">
        <PlainText text={record} limit={60} />
      </span>
    ),
    sortBy: ({ record, sequence }) => sequence ?? record,
  },
  {
    id: "reason",
    header: "What failed",
    look: "wide",
    cell: (check) => (
      <>
        <PlainText text={check.reason} limit={400} />
        <small className="facts-more">{explainCheck(check)}</small>
      </>
    ),
  },
];

/** Where a chain is broken: the earliest link, with its records, and every check that failed. */
export const BrokenChain = ({ projectId, run }: BrokenChainProps) => {
  const { status, link, line, failed, failures } = run.state;
  const rows = useMemo(() => failed.map((each, index) => ({ ...each, key: String(index) })), [failed]);
  return (
    <>
      <div className="note bad" role="alert">
        <Icon name="warning" />
        <div className="note-body">
          <strong>
            The chain is broken
            {link !== undefined && (
              <>
                {" "}
                at <PlainText text={link.check.record} limit={120} />
              </>
            )}
          </strong>
          {link !== undefined && <CheckText check={link.check} />}
          {line !== undefined && <UnreadableLine line={line} />}
        </div>
      </div>
      {link?.batch !== undefined && (
        <BatchRecords
          projectId={projectId}
          batch={link.batch}
          isOfService={run.files?.batches === undefined}
        />
      )}
      {status === "running" && <p className="hint">{countText(failures, "failed check")} so far</p>}
      {status !== "running" && failed.length > 1 && (
        <section className="stack" aria-labelledby="failed-checks">
          <h2 id="failed-checks">{countText(failures, "failed check")}</h2>
          {failures > failed.length && (
            <p className="hint">The first {failed.length.toLocaleString()} are listed.</p>
          )}
          <DataTable label="Failed checks" columns={columns} rows={rows} keyOf={keyOf} />
        </section>
      )}
    </>
  );
};

const keyOf = ({ key }: { readonly key: string }): string => key;

/** What it means, then what was compared. */
const CheckText = ({ check }: { readonly check: FailedCheck }) => {
  const meaning = explainCheck(check);
  return (
    <>
      {meaning !== "" && <p>{meaning}</p>}
      <p className={meaning === "" ? undefined : "hint"}>
        <PlainText text={`${check.record}: ${check.reason}`} limit={300} />
      </p>
    </>
  );
};

const UnreadableLine = ({ line: { check, text } }: { readonly line: BrokenLine }) => (
  <>
    <p>
      <PlainText text={`${check.record}: ${check.reason}`} limit={300} />
    </p>
    <details>
      <summary>The line</summary>
      <PlainText text={text} limit={2_000} mono />
    </details>
  </>
);

interface BatchRecordsProps {
  readonly projectId: string;
  readonly batch: Batch;
  readonly isOfService: boolean;
}

/** More than the service puts into a batch; a file may have any number. */
const maxRecords = 300;

/** Once: how far the verification has come does not change it. */
const BatchRecords = memo(({ projectId, batch, isOfService }: BatchRecordsProps) => (
  <section className="stack" aria-labelledby="broken-batch">
    <h2 id="broken-batch">
      {countText(batch.data.length, "record")} of batch {batch.sequence.toLocaleString()}
    </h2>
    <div className="batch-scroll" role="region" aria-label="Records of the broken batch" tabIndex={0}>
      <ul className="batch-records">
        {batch.data.slice(0, maxRecords).map((record, index) => (
          // Two records of a changed batch may have the same id.
          <li key={index}>
            <BatchRecord projectId={projectId} record={record} place={batch} isOfService={isOfService} />
          </li>
        ))}
      </ul>
    </div>
    {batch.data.length > maxRecords && (
      <p className="hint">and {countText(batch.data.length - maxRecords, "record")} more</p>
    )}
  </section>
));

interface BatchRecordProps {
  readonly projectId: string;
  readonly record: StoredEvent;
  readonly place: RecordPlace;
  readonly isOfService: boolean;
}

const BatchRecord = ({ projectId, record, place, isOfService }: BatchRecordProps) => {
  const id = textOf(record["id"]);
  const named = { ...record, id, type: textOf(record["type"]) };
  const [row] = rowsOf({ ...place, data: [named] });
  return (
    <details>
      <summary>
        <Instant at={textOf(record["time"])} />{" "}
        {row !== undefined && <RecordTitle row={row} names={noNames} />}
      </summary>
      {isOfService && (
        <p>
          <Link to="/decisions/record" search={{ id, project: projectId }}>
            Open the record
          </Link>
        </p>
      )}
      <JsonText label={`Record ${id}`} value={record} />
    </details>
  );
};
