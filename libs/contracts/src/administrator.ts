import { z } from "zod";
import { tableRoles } from "./roles.ts";

const gid = z.string();

/** A role and where it counts. */
const Grant = z.object({
  role: z.enum(tableRoles),
  project_id: gid.optional().meta({ description: "Absent: the organization with all of its projects." }),
});

const shared = {
  organization_id: gid,
  roles: z
    .array(Grant)
    .meta({ description: "Of the record and of role bindings, in the order of docs/roles.md." }),
};

/** Who calls, as an administrator, and with which roles. */
export const Administrator = z.discriminatedUnion("type", [
  z.object({ type: z.literal("service_account"), id: gid, name: z.string(), ...shared }),
  z.object({
    type: z.literal("user"),
    issuer: z.string(),
    sub: z.string(),
    name: z.string().optional(),
    ...shared,
  }),
]);

export type Administrator = z.output<typeof Administrator>;
