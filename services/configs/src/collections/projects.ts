import { randomBytes } from "node:crypto";
import { type IkgStatus, projectCollection } from "@ikg/contracts";
import { lookUpProperties, newProjectKey } from "@ikg/physical";
import type { Collection } from "./collection.ts";

const active: IkgStatus = "ACTIVE";

/** api specification 9.2. The graph of a project in the shared database is usable as soon as the record exists. */
export const projects = (settings: {
  readonly defaultRegion: string;
}): Collection<typeof projectCollection.fields> => ({
  ...projectCollection,
  judge: (body) => [
    ...(body.region === undefined && body.replica_region === settings.defaultRegion
      ? ["replica_region: must differ from region"]
      : []),
    ...(body.db_connection === undefined ? [] : ["db_connection: not available yet"]),
  ],
  make: (body) => ({
    data: { region: body.region ?? settings.defaultRegion },
    columns: {
      [lookUpProperties.projectKey]: newProjectKey(randomBytes(8)),
      [lookUpProperties.ikgStatus]: active,
    },
  }),
  present: (record) => ({ ikg_status: record.columns[lookUpProperties.ikgStatus] }),
});
