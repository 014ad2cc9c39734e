import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Instant } from "../../../components/instant.tsx";
import { isObject, textOf } from "../../../text/json.ts";
import { PlainText } from "../../../components/plain-text.tsx";
import { actorOf } from "../records/actor.ts";
import { ActorText } from "../records/actor-text.tsx";
import { kindTitle } from "../records/describe-record.ts";
import type { Names } from "../records/names.ts";
import { PolicyText } from "../records/policy-text.tsx";
import type { RecordRow } from "../records/record-row.ts";

interface AuditFactsProps {
  readonly row: RecordRow;
  readonly names: Names;
  readonly isBatch: boolean;
}

/** When, by whom and how it was called, which policies counted, and where the record is in the chain. */
export const AuditFacts = ({ row, names, isBatch }: AuditFactsProps) => {
  const { record, place, time, policies, grantedBy } = row;
  return (
    <dl className="card audit-facts">
      <Fact name="Time">
        <Instant at={time} />
      </Fact>
      <Fact name="Kind">{kindTitle(record.type)}</Fact>
      <CallerFact record={record} names={names} />
      <RequestFact record={record} />
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
      <ChainFact place={place} />
    </dl>
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

interface CallerFactProps extends Pick<RecordRow, "record"> {
  readonly names: Names;
}

const CallerFact = ({ record, names }: CallerFactProps) => {
  const { id, kid, issuer } = actorOf(record);
  return (
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
  );
};

const RequestFact = ({ record: { request } }: Pick<RecordRow, "record">) => {
  if (!isObject(request)) return null;
  return (
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
  );
};

const ChainFact = ({ place: { sequence, kid, alg, hash } }: Pick<RecordRow, "place">) => (
  <Fact name="In the chain" isWide>
    Batch {sequence.toLocaleString()}, signed by <PlainText text={kid} mono limit={60} /> ({alg})
    <small className="facts-more">
      SHA-256 of its records <PlainText text={hash} mono />{" "}
      <Link to="/decisions/verify">Verify the chain</Link>
    </small>
  </Fact>
);
