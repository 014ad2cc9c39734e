import { CreateApplication } from "@ikg/contracts";
import { systemTypes } from "@ikg/physical";
import type { Collection } from "./collection.ts";

/** api specification 9.3. */
export const applications: Collection<CreateApplication> = {
  kind: "application",
  path: "/applications",
  singular: "application",
  plural: "applications",
  request: CreateApplication,
  parent: { kind: "project", field: "project_id", of: (body) => body.project_id },
  scope: "project",
  named: true,
  systemNode: { type: systemTypes.application },
  content: () => ({ data: {} }),
  present: () => ({}),
};
