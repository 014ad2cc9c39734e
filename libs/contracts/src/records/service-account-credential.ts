import { z } from "zod";
import { credentialFields, credentialRecord } from "./credential.ts";
import { createBody, type RecordDescription } from "./description.ts";
import { parent } from "./fields.ts";

const fields = {
  service_account_id: parent("service_account"),
  ...credentialFields,
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
  service_account_config: ServiceAccountConfig.optional(),
});

export const serviceAccountCredentialCollection = {
  kind: "service_account_credential",
  path: "/service-account-credentials",
  singular: "service_account_credential",
  plural: "service_account_credentials",
  parent: { kind: "service_account", field: "service_account_id" },
  scope: "organization",
  named: false,
  fields,
  record: ServiceAccountCredentialRecord,
  create: createBody(fields),
} satisfies RecordDescription<typeof fields>;
