import { claimLabel } from "./claim-label.ts";
import { schemaFields, schemaVersions } from "../schema/schema-version.ts";
import type { Database } from "../types.ts";

/** Owner recorded in the claim of the shared database, which belongs to no project. */
export const sharedOwner = "shared";

// A database that holds nothing yet is of the newest version at once; records without a claim are of a build that made none.
const claimText = [
  `WITH EXISTS { MATCH (:_Record) } AS isOld MERGE (c:${claimLabel} {key: 'database'})`,
  "ON CREATE SET c.owner = $owner, c.create_time = $now, c.generation = 0,",
  "c += CASE WHEN isOld THEN {} ELSE $schema END RETURN c.owner AS owner",
].join(" ");

const newestSchema = {
  [schemaFields.version]: schemaVersions.newest,
  [schemaFields.readableFrom]: schemaVersions.readableFrom,
};

/**
 * Claims a database, unless it is claimed already.
 *
 * @returns the owner of the claim: the given one, or the one that had claimed the database before.
 * @throws the errors of `Database.write`.
 */
export const claim = async (database: Database, owner: string, timeoutMs: number): Promise<string> => {
  const now = new Date().toISOString();
  const [row] = await database.write((tx) => tx.run(claimText, { owner, now, schema: newestSchema }), {
    timeoutMs,
  });
  return String(row?.["owner"]);
};
