import type { IkgStatus } from "@ikg/contracts";
import { type Graph, takeDatabase } from "@ikg/graph";
import { graphBehindLabel, graphGeneration, lookUpProperties, recordLabel } from "@ikg/physical";
import type { KeyRing } from "@ikg/secrets";
import { projection, recordOf, type StoredRecord } from "../records/record.ts";
import { openConnection } from "./connection.ts";

/** Limit of one attempt (runtime specification 6.2). */
const attemptMs = 10_000;
const options = { timeoutMs: 10_000 };

const { ikgStatus, ikgStatusReason, graphAttempt } = lookUpProperties;

// Only the attempt that the record still waits for says how it ended; system nodes follow where it went well.
const outcomeText = [
  `MATCH (p:${recordLabel} {id: $id}) WHERE p.${graphAttempt} = $attempt`,
  `SET p.${ikgStatus} = $status, p.${ikgStatusReason} = $reason, p.${graphAttempt} = null,`,
  `p:${graphBehindLabel}, p.${graphGeneration} = coalesce(p.${graphGeneration}, 0) + 1`,
  `RETURN ${projection("p", false)} AS record`,
].join(" ");

export interface ProvisionParts {
  readonly graph: Graph;
  readonly keys: KeyRing;
}

/**
 * Tries once to make the own database of a PENDING project usable, and notes how that ended.
 *
 * @returns the project as it is then; undefined when somebody else's attempt counts by now.
 * @throws as `openConnection`, and as `Database.write` when the outcome cannot be noted: the project stays PENDING and
 *   is tried again.
 */
export const provision = async (
  parts: ProvisionParts,
  project: StoredRecord,
): Promise<StoredRecord | undefined> => {
  const { id } = project;
  const connection = openConnection(parts.keys, id, String(project.data["db_connection"]));
  const taken = await takeDatabase(() => parts.graph.of({ id, pk: "", connection }), id, attemptMs);
  if (!taken.ok) parts.graph.release(id);
  const status: IkgStatus = taken.ok ? "ACTIVE" : "FAILED";
  const [row] = await parts.graph.shared.write(
    (tx) =>
      tx.run(outcomeText, {
        id,
        attempt: project.columns[graphAttempt],
        status,
        reason: taken.ok ? null : taken.reason,
      }),
    options,
  );
  return row === undefined ? undefined : recordOf(row["record"]);
};
