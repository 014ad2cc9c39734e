import { randomBytes } from "node:crypto";
import { CreateProject, type IkgStatus } from "@ikg/contracts";
import { lookUpProperties, newProjectKey } from "@ikg/physical";
import type { Collection } from "./collection.ts";

const active: IkgStatus = "ACTIVE";

/** api specification 9.2. The graph of a project in the shared database is usable as soon as the record exists. */
export const projects = (settings: { readonly defaultRegion: string }): Collection<CreateProject> => ({
  kind: "project",
  path: "/projects",
  singular: "project",
  plural: "projects",
  request: CreateProject,
  parent: { kind: "organization", field: "organization_id", of: (body) => body.organization_id },
  scope: "organization",
  named: true,
  judge: (body) =>
    body.region === undefined && body.replica_region === settings.defaultRegion
      ? ["replica_region: must differ from region"]
      : [],
  content: (body) => ({
    data: {
      region: body.region ?? settings.defaultRegion,
      ikg_size: body.ikg_size,
      replica_region: body.replica_region,
    },
    columns: {
      [lookUpProperties.projectKey]: newProjectKey(randomBytes(8)),
      [lookUpProperties.ikgStatus]: active,
    },
  }),
  present: (record) => ({ ...record.data, ikg_status: record.columns[lookUpProperties.ikgStatus] }),
});
