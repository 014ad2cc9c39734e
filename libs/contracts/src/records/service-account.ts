import { z } from "zod";
import { roles } from "../permissions.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { named, namedRecord, oneOf, parent } from "./fields.ts";

const fields = {
  organization_id: parent("organization"),
  ...named,
  role: {
    schema: oneOf(roles),
    create: "required",
    update: "fixed",
    rule: "`all_editor` may do everything, `all_viewer` may read",
  },
} as const;

export const ServiceAccountRecord = z.object({
  ...namedRecord,
  organization_id: z.string(),
  role: z.enum(roles),
});

export const serviceAccountCollection = {
  kind: "service_account",
  path: "/service-accounts",
  singular: "service_account",
  plural: "service_accounts",
  parent: { kind: "organization", field: "organization_id" },
  scope: "organization",
  named: true,
  fields,
  record: ServiceAccountRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;
