/**
 * What stands before every text so that it means the same on every server: Cypher 5 is frozen, and servers
 * from 2025.06 on may have another default. Older ones do not know the word.
 *
 * @param version the server's version, such as `5.26.31` or `2026.09.0`.
 */
export const languagePrefix = (version: string): string => {
  const [year = 0, month = 0] = version.split(".").map(Number);
  return year > 2025 || (year === 2025 && month >= 6) ? "CYPHER 5 " : "";
};

/** Reads the version of a server. */
export const versionQuery =
  "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version";

/** True for a server without what the statements need: older than 5.26. */
export const isOldVersion = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return !(major > 5 || (major === 5 && minor >= 26));
};
