import { z } from "zod";
import { accountRoles } from "../permissions.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, oneOf, parent } from "./fields.ts";

const fields = {
  organization_id: parent("organization"),
  ...nameFields,
  role: {
    schema: oneOf(accountRoles),
    create: "optional",
    update: "fixed",
    read: "if set",
    rule: "over the organization: `all_editor` may do everything, `all_viewer` may read; absent: only what role bindings give",
  },
} as const;

export const ServiceAccountRecord = z.object({
  ...namedRecord,
  organization_id: z.string(),
  role: z.enum(accountRoles).optional(),
});

export const serviceAccountCollection = {
  kind: "service_account",
  path: "/service-accounts",
  singular: "service_account",
  plural: "service_accounts",
  parent: { kind: "organization", field: "organization_id" },
  scope: "organization",
  hasName: true,
  fields,
  record: ServiceAccountRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;
