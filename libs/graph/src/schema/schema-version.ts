import { claimLabel } from "../connections/claim-label.ts";
import type { Database, GraphHooks, Params, Row, StatementOptions } from "../types.ts";

/** Versions of the data of databases. Data without a version is of version 0. */
export interface SchemaVersions {
  /** The oldest data that a build reads and writes correctly. */
  readonly oldest: number;
  /** The version after all migrations of the build. */
  readonly newest: number;
  /** The lowest `newest` of a build that may read and write data of version `newest`. */
  readonly readableFrom: number;
}

/** The versions that this build knows; those of its migrations (services/configs/src/migrations). */
export const schemaVersions: SchemaVersions = { oldest: 0, newest: 1, readableFrom: 0 };

/** Properties of the claim of a database with the version of its data. */
export const schemaFields = { version: "schema_version", readableFrom: "schema_readable_from" } as const;

/** Version of the data of a database, and the version that a build must know to read it. */
export interface SchemaState {
  readonly version: number;
  readonly readableFrom: number;
}

/** The data of a database is of a version that this build does not understand; one line for an operator. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";
}

const readText = [
  `MATCH (c:${claimLabel} {key: 'database'})`,
  `RETURN c.${schemaFields.version} AS version, c.${schemaFields.readableFrom} AS readableFrom`,
].join(" ");

/**
 * The version of a database; undefined for one that was not prepared yet.
 *
 * @throws the errors of `Database.read`.
 */
export const readSchemaState = async (
  database: {
    read(text: string, params: Params, options: Pick<StatementOptions, "timeoutMs">): Promise<readonly Row[]>;
  },
  timeoutMs: number,
): Promise<SchemaState | undefined> => {
  const [row] = await database.read(readText, {}, { timeoutMs });
  if (row === undefined) return undefined;
  const version = Number(row["version"] ?? 0);
  return { version, readableFrom: Number(row["readableFrom"] ?? version) };
};

const olderRelease = "run the release before this one until its migrations have ended";

const describeVersions = ({ oldest, newest }: SchemaVersions): string =>
  `this release supports schema versions ${oldest} to ${newest}`;

/** Why a build must not migrate such data: it is too new, or of no version; undefined where it may. */
export const whyUnmigratable = (
  { version, readableFrom }: SchemaState,
  versions: SchemaVersions,
): string | undefined => {
  const known = describeVersions(versions);
  // NaN is neither below nor above a version, and would pass.
  if (!Number.isInteger(version) || !Number.isInteger(readableFrom))
    return `the schema version of the data is not a whole number; ${known}: correct ${schemaFields.version} and ${schemaFields.readableFrom} of its node ${claimLabel}, see docs/upgrading.md`;
  if (readableFrom > versions.newest)
    return `the data has schema version ${version}, which requires a release that supports version ${readableFrom} or later; ${known}: run the release that upgraded the data or a later one, see docs/upgrading.md`;
  return undefined;
};

/**
 * Why a build must not work on such data; undefined where it may.
 *
 * @param remedyIfOlder what to do about data that is too old.
 */
export const whyUnreadable = (
  state: SchemaState,
  versions: SchemaVersions,
  remedyIfOlder = olderRelease,
): string | undefined => {
  const reason = whyUnmigratable(state, versions);
  if (reason !== undefined || state.version >= versions.oldest) return reason;
  const known = describeVersions(versions);
  return `the data has schema version ${state.version}; ${known}: ${remedyIfOlder}, see docs/upgrading.md`;
};

/**
 * Passes for data that this build understands, and for a database that was not prepared yet.
 *
 * @throws SchemaMismatch for other data; the errors of `Database.read`.
 */
export const checkSchema = async (
  database: Database,
  timeoutMs: number,
  hooks: Pick<GraphHooks, "onSchema" | "onUnreadable">,
): Promise<void> => {
  const state = await readSchemaState(database, timeoutMs);
  if (state === undefined) return;
  hooks.onSchema?.(state.version);
  const reason = whyUnreadable(state, schemaVersions);
  if (reason === undefined) return;
  hooks.onUnreadable?.(reason);
  throw new SchemaMismatch(reason);
};
