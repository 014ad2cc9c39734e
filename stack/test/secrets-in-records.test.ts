import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import neo4j, { type Driver } from "neo4j-driver";
import { one } from "../src/testing/runner/counts.ts";
import { checkRecords } from "../src/testing/runner/secrets-in-records.ts";
import { requireVariable } from "../src/testing/test-environment.ts";

const known = {
  neo4j_password: "a password of no account",
  redis_password: "another one of no account",
  config_encryption_key: "c2VhbA==",
  credential_pepper: "cGVwcGVy",
  token_sealing_key: "dG9rZW5z",
  gateway_signing_key: "c2lnbg==",
  mcp_signing_key: "bWNw",
};
const chain = "a-chain-of-a-test";
/** Later than any record of tests beside this one. */
const since = new Date(Date.now() + 86_400_000);

let driver: Driver;
let redis: Redis;
let backend: Parameters<typeof checkRecords>[0];

beforeAll(() => {
  const [uri, username, password] = ["NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD"].map(requireVariable);
  const address = { uri: uri ?? "", username: username ?? "", password: password ?? "" };
  // A database of this test's own: the streams of others are not its matter.
  const redisUrl = `${requireVariable("REDIS_URL").replace(/\/\d+$/, "")}/8`;
  backend = { neo4j: address, redisUrl };
  driver = neo4j.driver(address.uri, neo4j.auth.basic(address.username, address.password));
  redis = new Redis(redisUrl);
});
afterAll(async () => {
  await driver.executeQuery("MATCH (b:_AuditBatch {key: $chain}) DELETE b", { chain });
  await redis.del("audit:chains", `audit:${chain}`);
  redis.disconnect();
  await driver.close();
});

const store = async (record: object): Promise<void> => {
  const bytes = deflateRawSync(JSON.stringify([record]));
  const data = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = { key: chain, kept_since: since.toISOString(), data };
  await driver.executeQuery("MERGE (b:_AuditBatch {key: $chain}) SET b = $kept", { chain, kept });
};

describe("secrets in audit records", () => {
  it("are found in stored batches and in records that wait", async () => {
    const key = `ak1_k7f3q2m9x1c8v5b4_${"A".repeat(43)}_e8101c52`;
    await store({ type: "audit.config.create", data: { kind: "project" } });
    expect(await checkRecords(backend, known, since)).toEqual(one(true));
    await store({ type: "audit.config.create", data: { kind: key } });
    expect(await checkRecords(backend, known, since)).toEqual(one(false));
    await store({ type: "audit.config.create", data: { kind: "project" } });
    await redis.sadd("audit:chains", chain);
    await redis.xadd(`audit:${chain}`, "*", "r", JSON.stringify({ data: { name: key } }));
    expect(await checkRecords(backend, known, since)).toEqual(one(false));
  });
});
