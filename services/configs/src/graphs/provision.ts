import { storeAnnouncements, type StoredAnnouncements } from "@ikg/announcements";
import type { IkgStatus } from "@ikg/contracts";
import { type Graph, type DatabasePart, takeDatabase } from "@ikg/graph";
import { lookUpProperties, recordLabel } from "@ikg/physical";
import type { KeyRing } from "@ikg/secrets";
import { announcementOf } from "../records/announcement.ts";
import { projection, recordOf, type StoredRecord } from "../records/record.ts";
import { outOfSyncAssignments } from "../records/system-node.ts";
import { openConnection, ownGraph } from "../records/connection.ts";

/** Limit of one attempt. */
const attemptMs = 10_000;
const options = { timeoutMs: 10_000 };

const { ikgStatus, ikgStatusReason, graphAttempt } = lookUpProperties;

// Only the attempt that the record still waits for says how it ended; system nodes follow where it went well.
const outcomeText = [
  `MATCH (p:${recordLabel} {id: $id}) WHERE p.${graphAttempt} = $attempt`,
  `SET p.${ikgStatus} = $status, p.${ikgStatusReason} = $reason, p.${graphAttempt} = null,`,
  outOfSyncAssignments("p"),
  `RETURN ${projection("p", false)} AS record`,
].join(" ");

/** How an attempt ended. */
export interface ProvisionOutcome {
  /** The project as it is then. */
  readonly record: StoredRecord;
  /** Stored with it, and still to be published. */
  readonly announcements: readonly StoredAnnouncements[];
}

export interface ProvisionParts {
  readonly graph: Graph;
  readonly keys: KeyRing;
}

/** How a reason names the part that it is about. */
const prefixOf = (part: DatabasePart | undefined): string =>
  typeof part === "object" ? `constituent ${part.constituent}: ` : "";

/** Why a part of the graph cannot be used; undefined when all of it can. */
const takeAll = async (
  { graph, keys }: ProvisionParts,
  { id, data }: StoredRecord,
): Promise<string | undefined> => {
  const own = ownGraph(id, openConnection(keys, id, String(data["db_connection"])));
  const reasons = await Promise.all(
    own.parts.map(async (part) => {
      const outcome = await takeDatabase(() => graph.ofAnyVersion(own.graph, part), id, attemptMs);
      return outcome.ok ? undefined : prefixOf(part) + outcome.reason;
    }),
  );
  return reasons.find((reason) => reason !== undefined);
};

/**
 * Tries once to make the own databases of a PENDING project usable, and notes how that ended.
 *
 * @returns undefined when another attempt has taken over.
 * @throws as `openConnection`, and as `Database.write` when the outcome cannot be noted: the project stays PENDING and
 *   is tried again.
 */
export const provision = async (
  parts: ProvisionParts,
  project: StoredRecord,
): Promise<ProvisionOutcome | undefined> => {
  const { id } = project;
  const reason = await takeAll(parts, project);
  if (reason !== undefined) parts.graph.release(id);
  const status: IkgStatus = reason === undefined ? "ACTIVE" : "FAILED";
  const params = { id, attempt: project.columns[graphAttempt], status, reason: reason ?? null };
  return parts.graph.shared.write(async (tx) => {
    const [row] = await tx.run(outcomeText, params);
    if (row === undefined) return undefined;
    const record = recordOf(row["record"]);
    return { record, announcements: await storeAnnouncements(tx, [announcementOf("updated", record)]) };
  }, options);
};
