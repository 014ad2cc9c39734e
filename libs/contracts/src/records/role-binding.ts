import { z } from "zod";
import { text } from "../names.ts";
import { roles } from "../roles.ts";
import { createBody, type RecordDescription } from "./description.ts";
import { gidOf, oneOf, parent } from "./fields.ts";
import { optional } from "../optional.ts";

/** Who gets the role: a service account, or every person whose token has this value in this claim. */
export const BindingSubject = z.object({
  service_account_id: z.string().optional(),
  claim: z.string().optional(),
  value: z.string().optional(),
});

const either = "service_account_id, or claim and value, expected";

const subject = z
  .object(
    {
      service_account_id: optional(gidOf("service_account")),
      claim: optional(text(1, 256)),
      value: optional(text(1, 1_024)),
    },
    { error: "object expected" },
  )
  .superRefine(({ service_account_id, claim, value }, context) => {
    const isAccount = service_account_id !== undefined && claim === undefined && value === undefined;
    const isClaim = service_account_id === undefined && claim !== undefined && value !== undefined;
    if (!isAccount && !isClaim) context.addIssue({ code: "custom", message: either });
  });

const fields = {
  organization_id: {
    ...parent("organization"),
    create: "optional",
    rule: "gid of the organization that contains it; absent: the caller's",
  },
  subject: {
    schema: subject,
    create: "required",
    update: "fixed",
    rule: "`service_account_id`: a service account of the organization; or `claim` and `value`: every person whose token has the claim with this text, or with a list that has it",
  },
  role: {
    schema: oneOf(roles),
    create: "required",
    update: "fixed",
    rule: `${roles.join(", ")}; docs/roles.md says what each may do`,
  },
  project_id: {
    schema: gidOf("project"),
    create: "optional",
    update: "fixed",
    storedIn: { column: "project_id" },
    rule: "gid of the project that the role is over; absent: the organization with all of its projects",
  },
} as const;

export const RoleBindingRecord = z.object({
  id: z.string(),
  organization_id: z.string(),
  project_id: z.string().optional(),
  subject: BindingSubject,
  role: z.enum(roles),
  create_time: z.string(),
  created_by: z.string(),
});

/** Bindings are created and deleted, and never updated: audit records say who had a role when. */
export const roleBindingCollection = {
  kind: "role_binding",
  path: "/role-bindings",
  singular: "role_binding",
  plural: "role_bindings",
  parent: { kind: "organization", field: "organization_id" },
  scope: "organization",
  hasName: false,
  fields,
  record: RoleBindingRecord,
  create: createBody(fields),
} satisfies RecordDescription<typeof fields>;
