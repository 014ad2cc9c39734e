import { z } from "zod";
import { type Permission, permissions } from "../permissions.ts";
import { gidOf, namedFields, namedRecord, oneOf, projectParents } from "./fields.ts";

/** At least one permission; the order given is kept, doubles go. */
const apiPermissions = z
  .array(oneOf(permissions), { error: "array expected" })
  .min(1, { error: "at least one entry" })
  .transform((values): Permission[] => [...new Set(values)]);

/** api specification 9.4. */
export const CreateApplicationAgent = z.object({
  application_id: gidOf("application"),
  ...namedFields,
  api_permissions: apiPermissions,
});

export type CreateApplicationAgent = z.output<typeof CreateApplicationAgent>;

export const ApplicationAgentRecord = z.object({
  ...namedRecord,
  ...projectParents,
  application_id: z.string(),
  api_permissions: z.array(z.enum(permissions)),
});
