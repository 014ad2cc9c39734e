import { z } from "zod";
import { credentialFields, credentialRecord } from "./credential.ts";
import { createBody, type RecordDescription } from "./description.ts";
import { gidOf, parent } from "./fields.ts";

const maxOverlap = 31_536_000;
const outOfRange = { error: `integer from 60 to ${maxOverlap} expected` };

/** How long a replaced token stays valid by default. */
export const defaultOverlapSeconds = 86_400;

const fields = {
  service_account_id: parent("service_account"),
  ...credentialFields,
  replaces: {
    schema: gidOf("service_account_credential"),
    create: "optional",
    update: "ignored",
    rule: "gid of a credential of the same service account, which ends after `overlap_seconds` unless it ends before",
  },
  overlap_seconds: {
    schema: z.int({ error: "integer expected" }).min(60, outOfRange).max(maxOverlap, outOfRange),
    create: "optional",
    update: "ignored",
    rule: `60-${maxOverlap}, only with \`replaces\`; absent: ${defaultOverlapSeconds}, a day`,
  },
} as const;

/** The credential JSON of a service account; leaves once, with the answer that made it. */
export const ServiceAccountConfig = z.object({
  baseUrl: z.string(),
  serviceAccountId: z.string(),
  token: z.string(),
});

export const ServiceAccountCredentialRecord = z.object({
  ...credentialRecord,
  service_account_id: z.string(),
  organization_id: z.string(),
  replaces: z.string().optional(),
  overlap_seconds: z.number().optional(),
  /** The last day (UTC) on which a request came with its token. */
  last_used: z.string().optional(),
  service_account_config: ServiceAccountConfig.optional(),
});

export const serviceAccountCredentialCollection = {
  kind: "service_account_credential",
  path: "/service-account-credentials",
  singular: "service_account_credential",
  plural: "service_account_credentials",
  parent: { kind: "service_account", field: "service_account_id" },
  scope: "organization",
  hasName: false,
  fields,
  record: ServiceAccountCredentialRecord,
  create: createBody(fields, ({ replaces, overlap_seconds: overlap }, fault) => {
    if (replaces === undefined && overlap !== undefined) fault(["overlap_seconds"], "only with replaces");
  }),
} satisfies RecordDescription<typeof fields>;
