import { z } from "zod";
import { codePoints } from "../names.ts";
import { gidOf, namedFields, namedRecord, notYet, oneOf, optional } from "./fields.ts";

export const ikgSizes = [
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

/** api specification 9.2. */
export const CreateProject = z
  .object({
    organization_id: gidOf("organization"),
    ...namedFields,
    region: optional(region),
    ikg_size: optional(oneOf(ikgSizes)).transform((size) => size ?? "2GB"),
    replica_region: optional(region),
    db_connection: notYet.optional(),
  })
  .superRefine(
    (body, context) => {
      if (body.replica_region !== undefined && body.replica_region === body.region)
        context.addIssue({ code: "custom", path: ["replica_region"], message: "must differ from region" });
    },
    { when: () => true },
  );

export type CreateProject = z.output<typeof CreateProject>;

export const ikgStatuses = ["PENDING", "ACTIVE", "FAILED"] as const;

export type IkgStatus = (typeof ikgStatuses)[number];

export const ProjectRecord = z.object({
  ...namedRecord,
  organization_id: z.string(),
  region: z.string(),
  ikg_size: z.enum(ikgSizes),
  replica_region: z.string().optional(),
  ikg_status: z.enum(ikgStatuses),
});
