import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { Instant } from "../../../parts/instant.tsx";
import { isObject, textOf } from "../../../parts/json.ts";
import { JsonText } from "../../../parts/json-text.tsx";
import { Note } from "../../../parts/note.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { actorOf } from "../records/actor.ts";
import { ActorText } from "../records/actor-text.tsx";
import { kindTitle } from "../records/describe-record.ts";
import type { Names } from "../records/names.ts";
import { PolicyText } from "../records/policy-text.tsx";
import { isReplayable, type RecordRow, rowsOf } from "../records/record-row.ts";
import { RecordTitle } from "../records/record-title.tsx";
import { ResultTag } from "../records/result-tag.tsx";
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
        <Facts row={first} names={names} isBatch={isBatch} />
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

interface FactProps {
  readonly name: string;
  /** Takes the whole width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

const Fact = ({ name, isWide = false, children }: FactProps) => (
  <div className={isWide ? "wide-fact" : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface FactsProps {
  readonly row: RecordRow;
  readonly names: Names;
  readonly isBatch: boolean;
}

const Facts = ({ row, names, isBatch }: FactsProps) => {
  const { record, place, time, policies, grantedBy } = row;
  const { id, kid, issuer } = actorOf(record);
  const request = isObject(record["request"]) ? record["request"] : undefined;
  return (
    <dl className="card audit-facts">
      <Fact name="Time">
        <Instant at={time} />
      </Fact>
      <Fact name="Kind">{kindTitle(record.type)}</Fact>
      <Fact name="Called by">
        <ActorText record={record} names={names} />
        {id !== "" && (
          <small className="facts-more">
            <PlainText text={id} mono limit={120} />
            {kid !== undefined && (
              <>
                , key <PlainText text={kid} mono limit={60} />
              </>
            )}
            {issuer !== undefined && (
              <>
                , signed in at <PlainText text={issuer} limit={120} />
              </>
            )}
          </small>
        )}
      </Fact>
      {request !== undefined && (
        <Fact name="Request">
          <PlainText text={`${textOf(request["method"])} ${textOf(request["path"])}`} mono />
          <small className="facts-more">
            <PlainText text={textOf(request["id"])} mono limit={80} />
            {typeof request["ip"] === "string" && (
              <>
                {" "}
                from <PlainText text={request["ip"]} mono limit={60} />
              </>
            )}
          </small>
        </Fact>
      )}
      {!isBatch && grantedBy !== undefined && (
        <Fact name="Granted by">
          <PolicyText id={grantedBy} names={names} />
        </Fact>
      )}
      {!isBatch && policies.length > 0 && (
        <Fact name="Policies that could have applied">
          <ul className="plain">
            {policies.map((each) => (
              <li key={each}>
                <PolicyText id={each} names={names} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact name="In the chain" isWide>
        Batch {place.sequence.toLocaleString()}, signed by <PlainText text={place.kid} mono limit={60} /> (
        {place.alg})
        <small className="facts-more">
          SHA-256 of its records <PlainText text={place.hash} mono />{" "}
          <Link to="/decisions/verify">Verify the chain</Link>
        </small>
      </Fact>
    </dl>
  );
};
