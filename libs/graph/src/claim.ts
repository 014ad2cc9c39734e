import type { Database } from "./types.ts";

/** Label of the one node that names the project that owns a database. */
export const claimLabel = "_Claim";

/** Whose the shared database is: no project's. */
export const sharedOwner = "shared";

const claimText = [
  `MERGE (c:${claimLabel} {key: 'database'})`,
  "ON CREATE SET c.owner = $owner, c.create_time = $now, c.generation = 0 RETURN c.owner AS owner",
].join(" ");

/**
 * Claims a database, unless it is claimed already.
 *
 * @returns whose it is now.
 * @throws as `Database.write`.
 */
export const claim = async (database: Database, owner: string, timeoutMs: number): Promise<string> => {
  const now = new Date().toISOString();
  const [row] = await database.write((tx) => tx.run(claimText, { owner, now }), { timeoutMs });
  return String(row?.["owner"]);
};
