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
    "Maximum time between the first record of a batch and its storage, in ms.",
  ),
  AUDIT_WAITING_BYTES: integer(
    1_000_000,
    1_000_000_000_000,
    defaultBounds.total,
    "Maximum bytes of records of all projects that may wait in Redis; less than half of its `maxmemory`.",
  ),
  AUDIT_WAITING_RESERVE_BYTES: integer(
    16_384,
    1_000_000_000,
    defaultBounds.reserve,
    "The last quarter of `AUDIT_WAITING_BYTES` is reserved for projects with fewer waiting bytes than this, or than their equal share of it.",
  ),
  AUDIT_SPILLED_BYTES: integer(
    1_000_000,
    1_000_000_000_000,
    4_000_000_000,
    "Maximum bytes of records of one project that may wait in the database, sealed, while its key service does not sign.",
  ),
  AUDIT_POLL_MS: integer(10, 10_000, 200, "Poll interval for new records, in ms."),
  AUDIT_LEASE_MS: integer(
    500,
    600_000,
    15_000,
    "Time without a heartbeat after which another writer takes over a chain, in ms.",
  ),
  AUDIT_RETRY_MIN_MS: integer(
    10,
    600_000,
    5_000,
    "Wait after the first failed signature, in ms; it doubles with each further failure.",
  ),
  AUDIT_RETRY_MAX_MS: integer(10, 3_600_000, 300_000, "Maximum wait between two attempts to sign, in ms."),
  AUDIT_CHECKPOINT_SECONDS: integer(
    1,
    86_400,
    3_600,
    "Time between two checkpoints of a chain that receives records.",
  ),
  AUDIT_PAGE_BYTES: integer(
    1_000,
    100_000_000,
    8_000_000,
    "Maximum bytes of a page of batches; it ends early, with one batch at least.",
  ),
  AUDIT_PAGE_MEMORY_BYTES: integer(
    1_000_000,
    10_000_000_000,
    96_000_000,
    "Maximum bytes of all large pages of batches that the process holds at one time, half of them for one organization.",
  ),
  AUDIT_RETENTION_DAYS: integer(
    400,
    100_000,
    400,
    "Days that records are kept; manifests and checkpoints are kept forever.",
  ),
});

export type AuditSettings = z.output<typeof AuditSettings>;
