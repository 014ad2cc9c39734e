/** What services have recorded during a run of tests, searched for what must never be there. */
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { Redis } from "ioredis";
import neo4j from "neo4j-driver";
import { say } from "../../../launch/progress.mjs";
import type { Secrets } from "../../secrets.ts";
import type { Backend } from "../../suite.ts";
import type { Counts } from "./counts.ts";
import { none, one } from "./counts.ts";
import { secretsIn } from "./secrets-in-logs.ts";

const inflate = promisify(inflateRaw);

/** Batches of records, as the audit service stores them (docs/decisions/0016-audit-chains.md). */
const text =
  "MATCH (b:_AuditBatch) WHERE b.kept_since >= $since AND b.data IS NOT NULL RETURN b.data AS data";

const storedSince = async ({ neo4j: address }: Backend, since: Date): Promise<string[]> => {
  const driver = neo4j.driver(address.uri, neo4j.auth.basic(address.username, address.password));
  try {
    const params = { since: since.toISOString() };
    const { records } = await driver.executeQuery(text, params, { database: "neo4j" });
    return await Promise.all(
      records.map(async (record) => {
        const { buffer, byteOffset, byteLength } = record.get("data") as Int8Array; // of the service
        return (await inflate(Buffer.from(buffer, byteOffset, byteLength))).toString("utf8");
      }),
    );
  } finally {
    await driver.close();
  }
};

/** Records in the streams of all chains that are not stored yet. */
const waiting = async ({ redisUrl }: Backend): Promise<string[]> => {
  const redis = new Redis(redisUrl);
  try {
    const found: string[] = [];
    for (const chain of await redis.smembers("audit:chains"))
      for (const [, fields] of await redis.xrange(`audit:${chain}`, "-", "+")) found.push(fields.join(" "));
    return found;
  } finally {
    redis.disconnect();
  }
};

/** One test: no record that was made since then holds a secret. Prints its kind, and never its value. */
export const checkRecords = async (backend: Backend, known: Secrets, since: Date): Promise<Counts> => {
  const texts = [...(await storedSince(backend, since)), ...(await waiting(backend))];
  if (texts.length === 0) return none;
  let found = 0;
  for (const each of texts)
    for (const { what } of secretsIn(each, known)) {
      found += 1;
      say(`an audit record holds ${what}`);
    }
  say(`${texts.length} batches of audit records, ${found} of them with a secret`);
  return one(found === 0);
};
