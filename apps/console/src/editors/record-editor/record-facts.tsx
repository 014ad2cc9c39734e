import type { ReactNode } from "react";
import { Instant } from "../../components/instant.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import type { RecordStatus } from "./record-draft.ts";
import { StatusTag } from "./status-tag.tsx";

interface RecordFactsProps {
  /** The way to the list. */
  readonly all: ReactNode;
  /** Undefined for a new record. */
  readonly record:
    | { readonly name: string; readonly status: RecordStatus; readonly update_time: string }
    | undefined;
  readonly isChanged: boolean;
  /** Why it cannot be changed, for example. */
  readonly remark: string | undefined;
}

/** The name and state of the record that a page is about, below its heading. */
export const RecordFacts = ({ all, record, isChanged, remark }: RecordFactsProps) => (
  <div className="row facts-line">
    {all}
    {record !== undefined && (
      <>
        <span className="mono">
          <PlainText text={record.name} limit={120} />
        </span>
        <StatusTag status={record.status} />
        <span className="hint">
          changed <Instant at={record.update_time} />
        </span>
      </>
    )}
    {isChanged && <span className="tag warn">Not saved</span>}
    {remark !== undefined && <span className="hint">{remark}</span>}
  </div>
);
