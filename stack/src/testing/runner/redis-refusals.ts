/** Commands that Redis has refused to the users of services while tests ran: each user may do all that its service does. */
import { Redis } from "ioredis";
import { say } from "../../../launch/progress.mjs";
import type { Backend } from "../../suite.ts";
import type { Counts } from "./counts.ts";
import { one } from "./counts.ts";

/** A connection of this name is a test's that tries what it may not. */
export const forgerName = "forger";

interface Refusal {
  readonly username: string;
  readonly reason: string;
  readonly object: string;
  readonly client: string;
}

/** Entries of ACL LOG are lists of name and value. */
const refusalOf = (entry: unknown): Refusal => {
  const list = Array.isArray(entry) ? entry.map(String) : [];
  const valueOf = (name: string): string => list[list.indexOf(name) + 1] ?? "";
  return {
    username: valueOf("username"),
    reason: valueOf("reason"),
    object: valueOf("object"),
    client: valueOf("client-info"),
  };
};

export const readRefusals = async (redisUrl: string): Promise<readonly Refusal[]> => {
  const redis = new Redis(redisUrl);
  try {
    const entries = await redis.call("ACL", "LOG", "128");
    return (Array.isArray(entries) ? entries : [])
      .map(refusalOf)
      .filter(({ client }) => !client.includes(` name=${forgerName} `));
  } finally {
    redis.disconnect();
  }
};

/** Says what was refused, each user and object once. */
export const checkRedisUsers = async ({ redisUrl }: Pick<Backend, "redisUrl">): Promise<Counts> => {
  const refusals = await readRefusals(redisUrl);
  const lines = new Set(refusals.map(({ username, reason, object }) => `${username}: ${object} (${reason})`));
  for (const line of lines) say(`refused by Redis to ${line}`);
  return one(lines.size === 0);
};
