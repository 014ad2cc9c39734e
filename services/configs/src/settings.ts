import { region } from "@ikg/contracts";
import {
  BaseSettings,
  CalledSettings,
  CompatSettings,
  ExpressionSettings,
  flag,
  integer,
  OwnDatabaseSettings,
  ProjectLimitSettings,
  secretKey,
  secretKeys,
} from "@ikg/service";
import type { z } from "zod";

/** Settings of the configs service. */
export const ConfigsSettings = BaseSettings.extend({
  ...CalledSettings.shape,
  CREDENTIAL_PEPPER: secretKey("Key of the hashes that stand for credentials in the database."),
  CONFIG_ENCRYPTION_KEY: secretKey(
    "Seals secrets of records in the database: passwords, header values, keys.",
  ),
  CONFIG_ENCRYPTION_FORMER_KEYS: secretKeys(
    "Keys that sealed before and still open, separated by commas, until `npm run reseal` was run.",
  ),
  DEFAULT_REGION: region.default("europe-west1").meta({
    description: "Region of a project that names none; recorded and echoed, with no effect on placement.",
  }),
  CONFIG_REQUIRE_IF_MATCH: flag(false, "Refuses a PUT or DELETE of a record without `If-Match` (428)."),
  PLANNING_PER_ORGANIZATION: integer(
    1,
    1_000,
    4,
    "Policies and queries of one organization that the database plans at one time when they are saved or validated.",
  ),
  PLANNING_TOTAL: integer(1, 1_000, 8, "The same for all organizations."),
  PLANNING_MS: integer(
    1,
    20_000,
    10_000,
    "How long the database may plan one statement of a policy or query when it is saved or validated.",
  ),
  PROJECTS_PER_ORGANIZATION: integer(1, 1_000_000, 1_000, "Projects of one organization."),
  SERVICE_ACCOUNTS_PER_ORGANIZATION: integer(
    1,
    1_000_000,
    1_000,
    "Service accounts of one organization; it may have twenty times as many credentials for them, expired ones included.",
  ),
  RECORD_VERSIONS: integer(
    1,
    1_000_000,
    1_000,
    "Former versions of a record that stay readable; the oldest one goes with a change beyond them.",
  ),
  CHANGE_RETENTION_DAYS: integer(
    1,
    36_500,
    400,
    "How long change records of policies and queries are kept with their texts; former versions of a record stay readable by themselves.",
  ),
  LIST_BYTES: integer(
    10_000,
    1_000_000_000,
    16_000_000,
    "Bytes of one list of records, as the database answers it; a larger one is 422.",
  ),
  LIST_MEMORY_BYTES: integer(
    10_000,
    100_000_000_000,
    64_000_000,
    "Bytes of lists over 1 MB that the process holds at one time, half of it for one organization; each counts as `LIST_BYTES`.",
  ),
  MIGRATION_DELAY_SECONDS: integer(
    0,
    86_400,
    30,
    "Time between the start of a process and the first migration of stored data, in which a deployment replaces the other processes; docs/upgrading.md.",
  ),
  MIGRATION_TAKEOVER_SECONDS: integer(
    1,
    3_600,
    30,
    "Time without a heartbeat after which another process takes over a migration.",
  ),
  MIGRATION_BATCH_SIZE: integer(
    1,
    10_000,
    500,
    "Records that one transaction of a migration changes at most.",
  ),
  MIGRATION_PACE_PERCENT: integer(
    1,
    100,
    50,
    "Share of its time that a migration works at most, in percent.",
  ),
  AUDIT_CONFIG_READS: flag(false, "Leaves audit records of reads of configuration, too."),
  KBAC2_REQUIRE_IDENTITY: flag(
    false,
    "As the access service has it: previews show the statements that it sends.",
  ),
  ...CompatSettings.shape,
  ...OwnDatabaseSettings.shape,
  ...ProjectLimitSettings.shape,
  ...ExpressionSettings.shape,
  EGRESS_ALLOW_HTTP: flag(false, "Accepts http addresses of token issuers besides https."),
});

export type ConfigsSettings = z.output<typeof ConfigsSettings>;
