/**
 * How far the data of a backup is migrated. The claim of a database is not copied, and that of a new one says that no migration
 * is left to be done.
 */
import {
  claimLabel,
  readSchemaState,
  schemaFields,
  SchemaMismatch,
  type SchemaState,
  schemaVersions,
  whyUnreadable,
} from "@ikg/graph";
import type { RawDatabase } from "./source.ts";

const timeoutMs = 30_000;

const setText = [
  `MATCH (c:${claimLabel} {key: 'database'})`,
  `SET c.${schemaFields.version} = $version, c.${schemaFields.readableFrom} = $readableFrom`,
  "REMOVE c.migration_step, c.migration_cursor",
].join(" ");

/** @throws SchemaMismatch for data that this build does not understand */
export const requireUnderstood = (state: SchemaState): void => {
  const reason = whyUnreadable(state, schemaVersions);
  if (reason !== undefined) throw new SchemaMismatch(reason);
};

/** @throws SchemaMismatch */
export const readDataVersion = async (database: RawDatabase): Promise<SchemaState> => {
  const state = (await readSchemaState(database, timeoutMs)) ?? { version: 0, readableFrom: 0 };
  requireUnderstood(state);
  return state;
};

/** Says how far the data of a prepared database is: its migrations go on from there. */
export const setDataVersion = async (
  database: RawDatabase,
  { version, readableFrom }: SchemaState,
): Promise<void> => {
  const params = { version: BigInt(version), readableFrom: BigInt(readableFrom) };
  await database.write((tx) => tx.run(setText, params));
};
