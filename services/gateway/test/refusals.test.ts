import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AuditRecord, streamKey } from "@ikg/audit";
import type { Graph } from "@ikg/graph";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.ts";
import { graphOfTest, newTenant, type Tenant } from "./tenant.ts";

/** Of this file alone: an audit service takes what waits in its streams. */
const redisUrl = `${requireVariable("REDIS_URL").replace(/\/\d+$/, "")}/7`;
let graph: Graph;
let redis: Redis;
let tenant: Tenant;
let gateway: GatewayProcess;

beforeAll(async () => {
  graph = graphOfTest();
  redis = new Redis(redisUrl);
  tenant = await newTenant(graph);
  const nobody = "http://127.0.0.1:1";
  gateway = await startGateway({
    UPSTREAM_CONFIGS: nobody,
    UPSTREAM_CAPTURE: nobody,
    UPSTREAM_ACCESS: nobody,
    UPSTREAM_CIQ: nobody,
    REDIS_URL: redisUrl,
    DRAIN_DELAY_MS: "0",
  });
});
afterAll(async () => {
  await gateway?.stop();
  await tenant?.end();
  await graph?.close();
  await redis?.flushdb();
  redis?.disconnect();
});

const attempt = async (key: string): Promise<number> =>
  (
    await fetch(`${gateway.url}/access/v1/evaluation`, {
      method: "POST",
      headers: { "X-SVC-ClientKey": key, "X-Internal-Client-Address": "203.0.113.9" },
      body: "{}",
    })
  ).status;

const records = async (): Promise<readonly AuditRecord[]> =>
  (await redis.xrange(streamKey(tenant.project), "-", "+")).map(
    ([, fields]) => JSON.parse(fields[1] ?? "") as AuditRecord, // as it was emitted
  );

/** A forged key of this id, as made by an attacker who has seen the id in a log. */
const madeUp = (kid: string): string => {
  const body = `ak1_${kid}_${randomBytes(32).toString("base64url")}`;
  return `${body}_${crc32(body).toString(16).padStart(8, "0")}`;
};

describe("refused attempts with a credential that exists", () => {
  it("leave one record at once and one for all that follow, in the owner's chain", async () => {
    const agent = await tenant.agent(["Authorization"]);
    const expired = await tenant.key(agent, new Date(Date.now() - 60_000));
    const valid = await tenant.key(agent);
    const typo = `${valid.token.slice(0, -1)}${valid.token.endsWith("A") ? "B" : "A"}`;
    for (let times = 0; times < 30; times++) expect(await attempt(expired.token)).toBe(401);
    const before = await records();
    expect(before.map(({ data }) => data)).toEqual([{ kid: expired.kid, owner: agent, reason: "expired" }]);
    expect(before[0]?.request?.ip).toMatch(/127\.0\.0\.1$/);
    // Each with a secret of its own.
    for (let times = 0; times < 30; times++) expect(await attempt(madeUp(valid.kid))).toBe(401);
    expect((await records()).slice(1).map(({ data }) => data)).toEqual([
      { kid: valid.kid, owner: agent, reason: "wrong secret" },
    ]);
    // A typo breaks the checksum, so that nothing is looked up and no chain grows.
    expect(await attempt(typo)).toBe(401);
    await gateway.stop();
    const repeats = { owner: agent, count: 29, first: expect.any(String), last: expect.any(String) };
    expect((await records()).slice(2).map(({ data }) => data)).toEqual([
      { kid: expired.kid, reason: "expired", ...repeats },
      { kid: valid.kid, reason: "wrong secret", ...repeats },
    ]);
  });
});
