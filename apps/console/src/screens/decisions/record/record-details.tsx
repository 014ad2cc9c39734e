import { CopyButton } from "../../../components/copy-button.tsx";
import { JsonText } from "../../../components/json-text.tsx";
import { Note } from "../../../components/note.tsx";
import { useMay } from "../../../session/use-admin.ts";
import type { Names } from "../records/names.ts";
import { isReplayable, rowsOf } from "../records/record-row.ts";
import { RecordTitle } from "../records/record-title.tsx";
import { ResultTag } from "../records/result-tag.tsx";
import { AuditFacts } from "./audit-facts.tsx";
import type { FoundRecord } from "./find-record.ts";
import { RecordReplay } from "./record-replay.tsx";

interface RecordDetailsProps {
  readonly projectId: string;
  readonly found: FoundRecord;
  readonly names: Names;
}

/** Everything that a record says, and where it is in the chain. */
export const RecordDetails = ({ projectId, found, names }: RecordDetailsProps) => {
  const { record, place } = found;
  const may = useMay();
  const rows = rowsOf({ ...place, data: [record] });
  const [first] = rows;
  if (first === undefined) return null;
  const isBatch = first.entry !== undefined;
  return (
    <>
      <section className="stack" aria-labelledby="record-title">
        <div className="list-head">
          <h2 id="record-title" className="record-title">
            {isBatch ? `${rows.length} decisions in a batch` : <RecordTitle row={first} names={names} />}
          </h2>
          {!isBatch && <ResultTag result={first.result} />}
        </div>
        {Array.isArray(record["cut"]) && (
          <Note tone="warn">
            <p>
              The record was truncated when it was created: its member <code>cut</code> says which fields,
              with the SHA-256 of each whole value.
            </p>
          </Note>
        )}
        <AuditFacts row={first} names={names} isBatch={isBatch} />
      </section>
      {isReplayable(record) && may("replay", projectId) && (
        <RecordReplay projectId={projectId} rows={rows} names={names} />
      )}
      <section className="stack" aria-label="The record in full">
        <div className="list-head">
          <h2>In full</h2>
          <CopyButton label="Copy" text={() => JSON.stringify(record, undefined, 2)} />
        </div>
        <JsonText label="The record as JSON" value={record} />
      </section>
    </>
  );
};
