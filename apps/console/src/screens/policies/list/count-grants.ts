import type { AuditBatch, IkgAdmin } from "@ikg/client";
import { isObject, type Members } from "../../../text/json.ts";
import { recordedDecisions } from "../../../queries/recorded-decisions.ts";

/** How often each policy granted a decision, by its id. */
export interface Grants {
  readonly byPolicy: ReadonlyMap<string, number>;
  readonly decisions: number;
  readonly since: Date;
  /** False: there were more records than are read, so that the numbers are the least that they can be. */
  readonly isComplete: boolean;
}

/** Records that are read at most: a busy project has more, and a person waits. */
const maxRecords = 20_000;

const policyOf = ({ granted_by: granted }: Members): string | undefined => {
  const id = isObject(granted) ? granted["id"] : undefined;
  return typeof id === "string" ? id : undefined;
};

/** Counts in batches of the audit trail as they come. */
export const countIn = async (
  batches: AsyncIterable<Pick<AuditBatch, "data">>,
  since: Date,
  limit = maxRecords,
): Promise<Grants> => {
  const byPolicy = new Map<string, number>();
  let decisions = 0;
  let records = 0;
  for await (const { data } of batches) {
    for (const decision of data.flatMap(recordedDecisions)) {
      decisions++;
      const id = policyOf(decision);
      if (id !== undefined) byPolicy.set(id, (byPolicy.get(id) ?? 0) + 1);
    }
    records += data.length;
    if (records >= limit) return { byPolicy, decisions, since, isComplete: false };
  }
  return { byPolicy, decisions, since, isComplete: true };
};

const hourMs = 60 * 60 * 1_000;

/** Grants of the last hour. No endpoint counts them: the records of the decisions are read. */
export const countGrants = (admin: IkgAdmin, signal: AbortSignal): Promise<Grants> => {
  const since = new Date(Date.now() - hourMs);
  return countIn(admin.audit.batches({ since, signal }), since);
};
