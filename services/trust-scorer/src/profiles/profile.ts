import type { Gid, schedules } from "@ikg/contracts";
import type { Database, Row } from "@ikg/graph";
import { lookUpProperties, quoteName, recordLabels } from "@ikg/physical";
import type { Dimension } from "../score/score-node.ts";

export type Schedule = (typeof schedules)[number];

/** A trust score profile as the scorer needs it. */
export interface Profile {
  readonly id: Gid;
  readonly projectId: Gid;
  /** The type whose nodes are scored. */
  readonly type: string;
  readonly schedule: Schedule;
  readonly dimensions: readonly Dimension[];
  /** When it was changed last; RFC 3339. */
  readonly updateTime: string;
}

const label = quoteName(recordLabels.trust_score_profile);
const shown = "RETURN p.id AS id, p.project_id AS project, p.update_time AS updated, p.data AS data";
/** Projects of policy tests take no part in schedules: to the scorer they have no profiles. */
const scheduled = `NOT EXISTS { MATCH (project:_Record {id: p.project_id}) WHERE project.${lookUpProperties.purpose} = 'TEST' }`;
const allText = `MATCH (p:${label}) WHERE ${scheduled} ${shown}`;
const oneText = `MATCH (p:_Record {id: $id}) WHERE p:${label} AND ${scheduled} ${shown}`;
const options = { timeoutMs: 30_000 };

/** Only configs writes these records, from the schema of the contract. */
const profileOf = (row: Row): Profile => {
  const data = JSON.parse(String(row["data"])) as {
    node_classification: string;
    schedule: Schedule;
    dimensions: readonly Dimension[];
  };
  return {
    id: String(row["id"]) as Gid, // ids of records are gids
    projectId: String(row["project"]) as Gid,
    type: data.node_classification,
    schedule: data.schedule,
    dimensions: data.dimensions,
    updateTime: String(row["updated"]),
  };
};

/** The stored profiles, as they are now. */
export interface Profiles {
  all(): Promise<readonly Profile[]>;
  find(id: string): Promise<Profile | undefined>;
}

/** @param database the shared one, where the records are. */
export const storedProfiles = (database: Database): Profiles => ({
  all: async () => (await database.read(allText, {}, options)).map(profileOf),
  find: async (id) => (await database.read(oneText, { id }, options)).map(profileOf)[0],
});
