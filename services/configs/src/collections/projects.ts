import { randomBytes, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  defaultOrganizationNames,
  effectiveLimits,
  type IkgStatus,
  type LimitBounds,
  limitFaults,
  Problem,
  projectCollection,
  storedLimits,
} from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { reserveProjectLabels } from "@ikg/graph-names";
import { lookUpProperties, newProjectKey, projectLabel, quoteName } from "@ikg/physical";
import type { Data, StoredRecord } from "../records/record.ts";
import type { Collection } from "../records/collection.ts";
import { projectKeyOf } from "../records/project-key.ts";

const { projectKey, ikgStatus, ikgStatusReason, graphAttempt } = lookUpProperties;
const [pending, active]: readonly IkgStatus[] = ["PENDING", "ACTIVE"];

/** A database of its own is prepared after the record is written; until then the graph cannot be used. */
const beingPrepared = (now: Date): Data => ({
  [projectKey]: undefined,
  [ikgStatus]: pending,
  [ikgStatusReason]: undefined,
  [graphAttempt]: `${now.toISOString()}/${randomUUID()}`,
});

/**
 * Nodes of the shared database stay there, so only a project without any may leave it. Without the node of an
 * application there is no agent, hence no writer at this moment.
 */
const requireNoGraph = async (tx: Transaction, record: StoredRecord): Promise<void> => {
  const label = quoteName(projectLabel(projectKeyOf(record)));
  const [node] = await tx.run(`MATCH (n:${label}) RETURN n.id AS id LIMIT 1`, {});
  if (node !== undefined)
    throw new Problem("conflict", {
      errors: ["db_connection: the project has applications or data in the shared database"],
    });
};

/**
 * The graph of a project in the shared database is usable as soon as the
 * record exists.
 */
export const projects = (settings: {
  readonly defaultRegion: string;
  readonly limits: LimitBounds;
}): Collection<typeof projectCollection.fields> => ({
  ...projectCollection,
  faultsInContext: (body, _references, _now, current) => [
    ...(body.region === undefined && body.replica_region === settings.defaultRegion
      ? ["replica_region: must differ from region"]
      : []),
    ...limitFaults(body.limits, settings.limits, current?.limits),
  ],
  extrasOnCreate: (body, { now }) => ({
    data: { region: body.region ?? settings.defaultRegion },
    columns:
      body.db_connection === undefined
        ? { [projectKey]: newProjectKey(randomBytes(8)), [ikgStatus]: active }
        : beingPrepared(now),
  }),
  reserve: async (tx, record, now) => {
    if (projectKeyOf(record) === "") return [];
    const { organizationNames = defaultOrganizationNames } = settings.limits;
    const fault = await reserveProjectLabels(tx, record.organizationId, organizationNames, now.getTime());
    return fault === undefined ? [] : [fault];
  },
  columnsOnUpdate: async (tx, { record, body, current, suppliedFields, now }) => {
    const { db_connection: next } = body;
    if (next === undefined || !suppliedFields.has("db_connection")) return {};
    if (projectKeyOf(record) !== "") await requireNoGraph(tx, record);
    // What works and stays is not tried again: clients that repeat what they want must not interrupt anything.
    const works = record.columns[ikgStatus] === active;
    return works && isDeepStrictEqual(next, current.db_connection) ? {} : beingPrepared(now);
  },
  present: ({ columns, data }) => ({
    effective_limits: effectiveLimits(storedLimits(data["limits"]), settings.limits),
    ikg_status: columns[ikgStatus],
    ikg_status_reason: columns[ikgStatusReason],
  }),
});
