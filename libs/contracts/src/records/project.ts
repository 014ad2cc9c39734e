import { z } from "zod";
import { DbConnectionRecord, dbConnection, withoutPasswords } from "./db-connection.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, oneOf, parent } from "./fields.ts";
import { EffectiveLimits, projectLimitNames, StatedLimits } from "./project-limits.ts";
import { codePoints } from "../values/code-points.ts";

const ikgSizes = [
  "2GB",
  "4GB",
  "8GB",
  "16GB",
  "32GB",
  "64GB",
  "128GB",
  "192GB",
  "256GB",
  "384GB",
  "512GB",
] as const;

/** Names of regions are recorded and echoed; they size and place nothing here. */
export const region = z
  .string({ error: "string expected" })
  .refine((value) => codePoints(value) >= 2 && codePoints(value) <= 63 && /^[a-z0-9-]+$/.test(value), {
    error: "2-63 lower-case letters, digits and hyphens",
  });

/** What a project is for, where that is not the ordinary use. */
const projectPurposes = ["TEST"] as const;

const fields = {
  organization_id: parent("organization"),
  ...nameFields,
  region: {
    schema: region,
    create: "optional",
    update: "ignored",
    rule: "2-63 lower-case letters, digits and hyphens; absent: the service's default; has no effect on placement",
  },
  ikg_size: {
    schema: oneOf(ikgSizes),
    create: "defaulted",
    default: "2GB",
    update: "ignored",
    rule: `${ikgSizes.join(", ")}; has no effect`,
  },
  replica_region: {
    schema: region,
    create: "optional",
    update: "ignored",
    rule: "as region; must differ from it",
  },
  purpose: {
    schema: oneOf(projectPurposes),
    create: "optional",
    update: "ignored",
    storedIn: { column: "purpose" },
    rule: "TEST: a project of policy tests, which takes no part in schedules; absent: an ordinary one",
  },
  db_connection: {
    schema: dbConnection,
    create: "optional",
    update: "kept",
    sealed: true,
    maskForRead: withoutPasswords,
    read: "if set, without passwords",
    rule: "a database of the project's own: url, username, password, and optionally name, composite_db_name with alias_mapping, constituents; passwords never come back",
  },
  limits: {
    schema: StatedLimits,
    create: "optional",
    update: "kept",
    clearedBy: {},
    rule: `limits of this project that differ from those of the installation: ${projectLimitNames.join(", ")}; whole numbers up to the operator's maximum; \`{}\` removes them`,
  },
} as const;

const ikgStatuses = ["PENDING", "ACTIVE", "FAILED"] as const;

export type IkgStatus = (typeof ikgStatuses)[number];

export const ProjectRecord = z.object({
  ...namedRecord,
  organization_id: z.string(),
  region: z.string(),
  ikg_size: z.enum(ikgSizes),
  replica_region: z.string().optional(),
  purpose: z.enum(projectPurposes).optional(),
  db_connection: DbConnectionRecord.optional(),
  limits: StatedLimits.optional(),
  /** In force: what `limits` states, and the installation's values of the others. */
  effective_limits: EffectiveLimits,
  ikg_status: z.enum(ikgStatuses),
  /** Why the graph is FAILED. */
  ikg_status_reason: z.string().optional(),
});

export const projectCollection = {
  kind: "project",
  path: "/projects",
  singular: "project",
  plural: "projects",
  parent: { kind: "organization", field: "organization_id" },
  scope: "organization",
  hasName: true,
  fields,
  record: ProjectRecord,
  create: createBody(fields, ({ region: here, replica_region: there }, fault) => {
    if (there !== undefined && there === here) fault(["replica_region"], "must differ from region");
  }),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;
