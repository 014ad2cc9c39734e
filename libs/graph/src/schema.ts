import type { Row } from "./types.ts";

/**
 * Constraints and indexes, once per database (neo4j specification 9). Nodes of the graph carry two, for any
 * number of projects and types; the rest belongs to configuration records.
 */
export const schema: readonly string[] = [
  "CREATE CONSTRAINT ig_node_key IF NOT EXISTS FOR (n:_Node) REQUIRE n._key IS UNIQUE",
  "CREATE CONSTRAINT ig_node_id IF NOT EXISTS FOR (n:_Node) REQUIRE n.id IS UNIQUE",
  "CREATE CONSTRAINT ig_record_id IF NOT EXISTS FOR (r:_Record) REQUIRE r.id IS UNIQUE",
  "CREATE CONSTRAINT ig_record_name_key IF NOT EXISTS FOR (r:_Record) REQUIRE r.name_key IS UNIQUE",
  "CREATE CONSTRAINT ig_record_unique_key IF NOT EXISTS FOR (r:_Record) REQUIRE r.unique_key IS UNIQUE",
  "CREATE CONSTRAINT ig_record_kid IF NOT EXISTS FOR (r:_Record) REQUIRE r.kid IS UNIQUE",
  "CREATE CONSTRAINT ig_record_pk IF NOT EXISTS FOR (r:_Record) REQUIRE r.pk IS UNIQUE",
  "CREATE CONSTRAINT ig_record_version_key IF NOT EXISTS FOR (v:_RecordVersion) REQUIRE v.version_key IS UNIQUE",
  "CREATE RANGE INDEX ig_record_parent IF NOT EXISTS FOR (r:_Record) ON (r.parent_id)",
  "CREATE RANGE INDEX ig_record_project IF NOT EXISTS FOR (r:_Record) ON (r.project_id)",
];

/** Every constraint here has an index of its name, so the indexes tell what is in place. */
export const showIndexes = "SHOW INDEXES YIELD name, state RETURN name, state";

/** The statements whose result does not serve reads yet: one question instead of all of them at every later start. */
export const missingFrom = (rows: readonly Row[]): readonly string[] => {
  const online = new Set(rows.filter((row) => row["state"] === "ONLINE").map((row) => row["name"]));
  return schema.filter((statement) => !online.has(/(?:CONSTRAINT|INDEX) (\w+)/.exec(statement)?.[1]));
};

/** Waits until every index serves reads; seconds. */
export const awaitIndexes = "CALL db.awaitIndexes(300)";
