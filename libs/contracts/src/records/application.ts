import { z } from "zod";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, parent, projectParents } from "./fields.ts";

const fields = { project_id: parent("project"), ...nameFields } as const;

export const ApplicationRecord = z.object({ ...namedRecord, ...projectParents });

export const applicationCollection = {
  kind: "application",
  path: "/applications",
  singular: "application",
  plural: "applications",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  hasName: true,
  fields,
  record: ApplicationRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;
