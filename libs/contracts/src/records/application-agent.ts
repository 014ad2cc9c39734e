import { z } from "zod";
import { type Permission, permissions } from "../permissions.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, oneOf, parent, projectParents } from "./fields.ts";

const fields = {
  application_id: parent("application"),
  ...nameFields,
  api_permissions: {
    schema: z
      .array(oneOf(permissions), { error: "array expected" })
      .min(1, { error: "at least one entry" })
      .transform((values): Permission[] => [...new Set(values)]),
    create: "required",
    update: "kept",
    rule: `at least one of ${permissions.join(", ")}; order is kept, duplicates are removed`,
  },
} as const;

export const ApplicationAgentRecord = z.object({
  ...namedRecord,
  ...projectParents,
  application_id: z.string(),
  api_permissions: z.array(z.enum(permissions)),
});

export const applicationAgentCollection = {
  kind: "application_agent",
  path: "/application-agents",
  singular: "application_agent",
  plural: "application_agents",
  parent: { kind: "application", field: "application_id" },
  scope: "project",
  hasName: true,
  fields,
  record: ApplicationAgentRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;
