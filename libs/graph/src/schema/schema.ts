import { claimLabel } from "../connections/claim-label.ts";
import { isSchemaRace } from "../errors.ts";
import type { Database, Row } from "../types.ts";
import { untilQuickPlans } from "./quick-plans.ts";

/**
 * Constraints of every database that holds a graph: two for the nodes of any number of projects
 * and types, two for what is staged of imports, one for the names of projects, one for runs of the scorer, and one for the
 * claim.
 */
const graphSchema: readonly string[] = [
  "CREATE CONSTRAINT ig_node_key IF NOT EXISTS FOR (n:_Node) REQUIRE n._key IS UNIQUE",
  "CREATE CONSTRAINT ig_node_id IF NOT EXISTS FOR (n:_Node) REQUIRE n.id IS UNIQUE",
  "CREATE CONSTRAINT ig_import_chunk IF NOT EXISTS FOR (c:_ImportChunk) REQUIRE c.key IS UNIQUE",
  "CREATE CONSTRAINT ig_import_rejection IF NOT EXISTS FOR (r:_ImportRejection) REQUIRE r.key IS UNIQUE",
  "CREATE CONSTRAINT ig_project_names IF NOT EXISTS FOR (g:_ProjectNames) REQUIRE g.key IS UNIQUE",
  "CREATE CONSTRAINT ig_trust_range IF NOT EXISTS FOR (r:_TrustRange) REQUIRE r.key IS UNIQUE",
  `CREATE CONSTRAINT ig_claim IF NOT EXISTS FOR (c:${claimLabel}) REQUIRE c.key IS UNIQUE`,
];

/** Constraints and indexes of the shared database, which holds the configuration records besides. */
export const schema: readonly string[] = [
  ...graphSchema,
  "CREATE CONSTRAINT ig_record_id IF NOT EXISTS FOR (r:_Record) REQUIRE r.id IS UNIQUE",
  "CREATE CONSTRAINT ig_record_name_key IF NOT EXISTS FOR (r:_Record) REQUIRE r.name_key IS UNIQUE",
  "CREATE CONSTRAINT ig_record_unique_key IF NOT EXISTS FOR (r:_Record) REQUIRE r.unique_key IS UNIQUE",
  "CREATE CONSTRAINT ig_record_kid IF NOT EXISTS FOR (r:_Record) REQUIRE r.kid IS UNIQUE",
  "CREATE CONSTRAINT ig_record_pk IF NOT EXISTS FOR (r:_Record) REQUIRE r.pk IS UNIQUE",
  "CREATE CONSTRAINT ig_record_version_key IF NOT EXISTS FOR (v:_RecordVersion) REQUIRE v.version_key IS UNIQUE",
  "CREATE CONSTRAINT ig_record_usage IF NOT EXISTS FOR (u:_RecordUsage) REQUIRE u.key IS UNIQUE",
  "CREATE RANGE INDEX ig_record_parent IF NOT EXISTS FOR (r:_Record) ON (r.parent_id)",
  "CREATE RANGE INDEX ig_record_project IF NOT EXISTS FOR (r:_Record) ON (r.project_id)",
  "CREATE CONSTRAINT ig_change_id IF NOT EXISTS FOR (c:_Change) REQUIRE c.id IS UNIQUE",
  "CREATE CONSTRAINT ig_change_key IF NOT EXISTS FOR (c:_Change) REQUIRE c.key IS UNIQUE",
  "CREATE RANGE INDEX ig_change_time IF NOT EXISTS FOR (c:_Change) ON (c.create_time)",
  "CREATE RANGE INDEX ig_change_record IF NOT EXISTS FOR (e:_ChangeEntry) ON (e.record_id)",
  "CREATE CONSTRAINT ig_outbox_id IF NOT EXISTS FOR (o:_Outbox) REQUIRE o.id IS UNIQUE",
  "CREATE CONSTRAINT ig_audit_outbox IF NOT EXISTS FOR (o:_AuditOutbox) REQUIRE o.key IS UNIQUE",
  "CREATE CONSTRAINT ig_audit_spill IF NOT EXISTS FOR (s:_AuditSpill) REQUIRE s.key IS UNIQUE",
  "CREATE RANGE INDEX ig_audit_spilled IF NOT EXISTS FOR (c:_AuditChain) ON (c.spilled)",
  "CREATE CONSTRAINT ig_trust_run IF NOT EXISTS FOR (r:_TrustRun) REQUIRE r.profile_id IS UNIQUE",
  "CREATE RANGE INDEX ig_trust_run_project IF NOT EXISTS FOR (r:_TrustRun) ON (r.project_id)",
  "CREATE CONSTRAINT ig_import_id IF NOT EXISTS FOR (i:_Import) REQUIRE i.id IS UNIQUE",
  "CREATE RANGE INDEX ig_import_project IF NOT EXISTS FOR (i:_Import) ON (i.project_id)",
  "CREATE RANGE INDEX ig_import_state IF NOT EXISTS FOR (i:_Import) ON (i.project_id, i.status)",
  "CREATE RANGE INDEX ig_import_end IF NOT EXISTS FOR (i:_Import) ON (i.end_time)",
  "CREATE CONSTRAINT ig_audit_chain IF NOT EXISTS FOR (c:_AuditChain) REQUIRE c.project_id IS UNIQUE",
  "CREATE CONSTRAINT ig_audit_batch IF NOT EXISTS FOR (b:_AuditBatch) REQUIRE b.key IS UNIQUE",
  "CREATE RANGE INDEX ig_audit_kept IF NOT EXISTS FOR (b:_AuditBatch) ON (b.kept_since)",
  "CREATE CONSTRAINT ig_audit_checkpoint IF NOT EXISTS FOR (c:_AuditCheckpoint) REQUIRE c.key IS UNIQUE",
  "CREATE CONSTRAINT ig_audit_key IF NOT EXISTS FOR (k:_AuditKey) REQUIRE k.key IS UNIQUE",
  "CREATE CONSTRAINT ig_audit_platform_key IF NOT EXISTS FOR (k:_AuditPlatformKey) REQUIRE k.id IS UNIQUE",
];

/** Every constraint here has an index of its name, so the indexes show which exist. */
const showIndexes = "SHOW INDEXES YIELD name, state RETURN name, state";

/** The statements whose index does not serve reads yet; later starts run one query instead of all statements. */
export const missingFrom = (wanted: readonly string[], rows: readonly Row[]): readonly string[] => {
  const online = new Set(rows.filter((row) => row["state"] === "ONLINE").map((row) => row["name"]));
  return wanted.filter((statement) => !online.has(/(?:CONSTRAINT|INDEX) (\w+)/.exec(statement)?.[1]));
};

/** Waits until every index serves reads; seconds. */
const awaitIndexes = "CALL db.awaitIndexes(300)";

/** Processes that start together may each find that others have just made some of it. */
const maxAttempts = 10;

/** @returns the statements whose index does not serve reads */
const readMissing = async (
  database: Pick<Database, "read">,
  wanted: readonly string[],
  timeoutMs: number,
): Promise<readonly string[]> => missingFrom(wanted, await database.read(showIndexes, {}, { timeoutMs }));

/**
 * Creates missing constraints and indexes, and waits until they serve reads. Idempotent. One transaction makes all of them: the server
 * plans every statement anew after each that changes the schema, and gives up a statement that it has planned some 20 times.
 *
 * @returns how many were missing.
 * @throws the errors of `Database.write`; Error where some are missing after all.
 */
export const prepareSchema = async (
  database: Pick<Database, "read" | "write">,
  wanted: readonly string[],
  timeoutMs: number,
): Promise<number> => {
  const missing = await readMissing(database, wanted, timeoutMs);
  let left = missing;
  for (let attempt = 1; left.length > 0 && attempt <= maxAttempts; attempt++) {
    const statements = left;
    await database
      .write((tx) => Promise.all(statements.map((statement) => tx.run(statement, {}))), { timeoutMs })
      .catch((error: unknown) => {
        if (!isSchemaRace(error)) throw error;
      });
    await database.read(awaitIndexes, {}, { timeoutMs });
    left = await readMissing(database, wanted, timeoutMs);
  }
  if (left.length > 0) throw new Error(`the database does not keep its schema: ${left.join("; ")}`);
  return missing.length;
};

/** Limit of creating a schema, which waits for indexes over stored data. */
const schemaTimeoutMs = 310_000;

/**
 * Creates missing constraints and indexes of the shared database. Where it had some, it may serve requests: their statements are
 * planned first.
 *
 * @throws the errors of `Database.write`.
 */
export const prepareSharedSchema = async (database: Database): Promise<void> => {
  const missing = await prepareSchema(database, schema, schemaTimeoutMs);
  if (missing > 0 && missing < schema.length) await untilQuickPlans(database);
};

/**
 * Creates missing constraints and indexes of a project's own database.
 *
 * @throws the errors of `Database.write`.
 */
export const prepareGraphSchema = async (database: Database, timeoutMs = schemaTimeoutMs): Promise<void> => {
  await prepareSchema(database, graphSchema, timeoutMs);
};
