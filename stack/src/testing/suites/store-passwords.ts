/** Passwords of stores, changed as operators change them: the next one is valid along with the former until every process has it. */
import { Redis } from "ioredis";
import neo4j from "neo4j-driver";
import type { OwnNeo4j } from "../../settings.ts";

const withRedis = async (url: string, rule: readonly string[]): Promise<void> => {
  const redis = new Redis(url);
  try {
    await redis.call("ACL", "SETUSER", "default", ...rule);
  } finally {
    redis.disconnect();
  }
};

/** Makes a password the only one of a Redis that has none. @returns its address with the password. */
export const setRedisPassword = async (url: string, password: string): Promise<string> => {
  await withRedis(url, ["resetpass", `>${password}`]);
  return url.replace("://", `://:${password}@`);
};
export const addRedisPassword = (url: string, password: string): Promise<void> =>
  withRedis(url, [`>${password}`]);
export const removeRedisPassword = (url: string, password: string): Promise<void> =>
  withRedis(url, [`<${password}`]);

const administer = async (
  { uri, username, password }: OwnNeo4j,
  text: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const driver = neo4j.driver(uri, neo4j.auth.basic(username, password));
  const session = driver.session({ database: "system" });
  try {
    await session.run(text, parameters);
  } finally {
    await session.close();
    await driver.close();
  }
};

/** Makes another user of the database; of the Community edition, where every user may do everything. */
export const addDatabaseUser = (address: OwnNeo4j, name: string, password: string): Promise<void> =>
  administer(address, "CREATE USER $name SET PASSWORD $password CHANGE NOT REQUIRED", { name, password });
export const removeDatabaseUser = (address: OwnNeo4j, name: string): Promise<void> =>
  administer(address, "DROP USER $name IF EXISTS", { name });
