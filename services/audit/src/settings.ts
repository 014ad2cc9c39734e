import { defaultBounds } from "@ikg/audit";
import {
  BaseSettings,
  CalledSettings,
  httpUrl,
  integer,
  ProjectLimitSettings,
  secretKey,
  secretKeys,
} from "@ikg/service";
import { z } from "zod";

/** Settings of the audit service. */
export const AuditSettings = BaseSettings.extend({
  ...CalledSettings.shape,
  ...ProjectLimitSettings.shape,
  CONFIG_ENCRYPTION_KEY: secretKey("Opens secrets of records; the same as that of configs."),
  CONFIG_ENCRYPTION_FORMER_KEYS: secretKeys("Keys that sealed before and still open, separated by commas."),
  AUDIT_PLATFORM_KEY_JWK: z.string().optional().meta({
    secret: true,
    description:
      "Private key of the platform's signatures: a JWK of P-256. Without it one is made at the first start and kept sealed in the database.",
  }),
  AUDIT_AWS_KMS_ENDPOINT: httpUrl("").optional().meta({
    description: "Address of AWS KMS where it is not Amazon's own, such as an endpoint of a VPC.",
  }),
  AUDIT_AWS_STS_ENDPOINT: httpUrl("").optional().meta({
    description: "Address of AWS STS where it is not Amazon's own.",
  }),
  AUDIT_GCP_KMS_ENDPOINT: httpUrl("").optional().meta({
    description:
      "Address of Google Cloud KMS where it is not Google's own: gRPC. With `http:` there is neither TLS nor an identity, for tests.",
  }),
  AUDIT_GCP_IAM_ENDPOINT: httpUrl("").optional().meta({
    description: "Address of Google's IAM Service Account Credentials where it is not Google's own.",
  }),
  AUDIT_AZURE_ALLOWED_HOST_SUFFIXES: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((suffix) => suffix !== ""))
    .meta({
      description:
        "Hosts of vaults may end in these besides `.vault.azure.net` and `.managedhsm.azure.net`, separated by commas.",
    }),
  AUDIT_AZURE_AUTHORITY_HOST: httpUrl("").optional().meta({
    description: "Address of the authority that issues Azure's tokens, of another cloud than the public one.",
  }),
  AUDIT_BATCH_MS: integer(
    10,
    60_000,
    5_000,
    "A batch is stored so long after its first record at the latest, in ms.",
  ),
  AUDIT_WAITING_BYTES: integer(
    1_000_000,
    1_000_000_000_000,
    defaultBounds.total,
    "So many bytes of records of all projects may wait in Redis; less than half of its `maxmemory`.",
  ),
  AUDIT_WAITING_RESERVE_BYTES: integer(
    16_384,
    1_000_000_000,
    defaultBounds.reserve,
    "The last quarter of `AUDIT_WAITING_BYTES` is for projects of which fewer bytes than these wait, or than their equal shares of it.",
  ),
  AUDIT_SPILLED_BYTES: integer(
    1_000_000,
    1_000_000_000_000,
    4_000_000_000,
    "So many bytes of records of one project may wait in the database, sealed, while its key service does not sign.",
  ),
  AUDIT_POLL_MS: integer(10, 10_000, 200, "Time between two looks for new records, in ms."),
  AUDIT_LEASE_MS: integer(
    500,
    600_000,
    15_000,
    "After so long without a sign of life of a writer another one takes over its chains, in ms.",
  ),
  AUDIT_RETRY_MIN_MS: integer(10, 600_000, 5_000, "First wait after a signature failed, in ms; it doubles."),
  AUDIT_RETRY_MAX_MS: integer(10, 3_600_000, 300_000, "Longest wait between two tries to sign, in ms."),
  AUDIT_CHECKPOINT_SECONDS: integer(1, 86_400, 3_600, "Time between two checkpoints of a chain that moves."),
  AUDIT_RETENTION_DAYS: integer(
    400,
    100_000,
    400,
    "Records are kept for so many days; manifests and checkpoints for ever.",
  ),
});

export type AuditSettings = z.output<typeof AuditSettings>;
