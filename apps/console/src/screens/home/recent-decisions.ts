import type { AuditRecord } from "@ikg/client";
import { isObject, textOf } from "../../text/json.ts";
import { recordedDecisions } from "../../queries/recorded-decisions.ts";

interface Node {
  readonly type: string;
  readonly id: string;
}

/** A denied decision. */
export interface Denial {
  readonly id: string;
  readonly time: string;
  readonly subject: Node;
  readonly action: string;
  readonly resource: Node;
}

/** What audit records say of the decisions of a time. */
export interface RecentDecisions {
  readonly allowed: number;
  readonly denied: number;
  /** Calls of any kind that were answered with an error. */
  readonly failed: number;
  /** The newest first. */
  readonly denials: readonly Denial[];
}

const nodeOf = (value: unknown): Node => ({
  type: textOf(isObject(value) ? value["type"] : undefined),
  id: textOf(isObject(value) ? value["id"] : undefined),
});

const statusOf = ({ status }: AuditRecord): number => (typeof status === "number" ? status : 0);

const shownDenials = 8;

/** Sums up the records of a time, in the order of the chain. */
export const recentDecisions = (records: readonly AuditRecord[]): RecentDecisions => {
  const denials: Denial[] = [];
  let allowed = 0;
  for (const record of records)
    for (const [index, { decision, subject, action, resource }] of recordedDecisions(record).entries()) {
      if (decision === true) allowed += 1;
      if (decision === false)
        denials.push({
          id: `${record.id} ${index}`,
          time: textOf(record["time"]),
          subject: nodeOf(subject),
          action: textOf(action),
          resource: nodeOf(resource),
        });
    }
  const failed = records.filter((record) => statusOf(record) >= 500).length;
  return { allowed, denied: denials.length, failed, denials: denials.slice(-shownDenials).toReversed() };
};
