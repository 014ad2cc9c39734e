import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AuditRecord, streamKey } from "@ikg/audit";
import type { Gid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { isLongRun, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import { tenant } from "./gateways-by-settings.ts";
import { ask, provider, startGatewayOf, usePeople } from "./people-of-provider.ts";

/** Of this file alone: an audit service takes what waits in its streams. */
const redisUrl = `${requireVariable("REDIS_URL").replace(/\/\d+$/, "")}/7`;
let redis: Redis;
let gateway: GatewayProcess;

usePeople();
beforeAll(async () => {
  redis = new Redis(redisUrl);
  await redis.flushdb();
  gateway = await startGatewayOf({ REDIS_URL: redisUrl, OIDC_ACR_VALUES: "phr" });
});
afterAll(async () => {
  await gateway?.stop();
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

/** Attempts with one key, and of one person, of which one record counts all but the first. */
const [attempts, attemptsOfBob] = isLongRun() ? [30, 20] : [10, 6];

/** Sends requests of bob by two methods. The operation makes no difference: else there would be a record for each. */
const attemptOfBob = async (status: number): Promise<void> => {
  const token = await provider.accessToken("bob");
  for (let times = 0; times < attemptsOfBob; times += 2)
    for (const method of ["GET", "POST"])
      expect((await ask(gateway, token, "/configs/v1/projects", method)).status).toBe(status);
};

/** Of the chain of a project or of an organization. */
const records = async (chain: Gid): Promise<readonly AuditRecord[]> =>
  (await redis.xrange(streamKey(chain), "-", "+")).map(
    ([, fields]) => JSON.parse(fields[1] ?? "") as AuditRecord, // as it was emitted
  );

/** A forged key of this id, as made by an attacker who has seen the id in a log. */
const madeUp = (kid: string): string => {
  const body = `ak1_${kid}_${randomBytes(32).toString("base64url")}`;
  return `${body}_${crc32(body).toString(16).padStart(8, "0")}`;
};

const times = { first: expect.any(String), last: expect.any(String) };

describe("refused attempts", () => {
  it("leave one record at once and one for all that follow, in the owner's chain", async () => {
    const agent = await tenant.agent(["Authorization"]);
    const expired = await tenant.key(agent, new Date(Date.now() - 60_000));
    const valid = await tenant.key(agent);
    const typo = `${valid.token.slice(0, -1)}${valid.token.endsWith("A") ? "B" : "A"}`;
    for (let each = 0; each < attempts; each++) expect(await attempt(expired.token)).toBe(401);
    const ofKeys = await records(tenant.project);
    expect(ofKeys.map(({ data }) => data)).toEqual([{ kid: expired.kid, owner: agent, reason: "expired" }]);
    expect(ofKeys[0]?.request?.ip).toMatch(/127\.0\.0\.1$/);
    // Each with a secret of its own.
    for (let each = 0; each < attempts; each++) expect(await attempt(madeUp(valid.kid))).toBe(401);
    expect((await records(tenant.project)).slice(1).map(({ data }) => data)).toEqual([
      { kid: valid.kid, owner: agent, reason: "wrong secret" },
    ]);
    // A typo breaks the checksum, so that nothing is looked up and no chain grows.
    expect(await attempt(typo)).toBe(401);

    provider.people.set("bob", { groups: [] });
    await attemptOfBob(401);
    provider.people.set("bob", { groups: [], acr: "phr" });
    await attemptOfBob(403);
    const bob = { kid: `${provider.issuer}#bob`, owner: "bob" };
    const weak = { ...bob, reason: "sign-in too weak or too old" };
    const withoutRole = { ...bob, reason: "the caller has no role that permits this operation" };
    // A token that cannot be verified belongs to no chain.
    const other = { aud: "https://other.example" };
    const token = await provider.resign(await provider.accessToken("bob"), other);
    expect((await ask(gateway, token)).status).toBe(401);
    expect((await records(tenant.organization)).map(({ status, data }) => [status, data])).toEqual([
      [401, weak],
      [403, withoutRole],
    ]);

    expect(await gateway.stop()).toBe(0);
    const repeats = { owner: agent, count: attempts - 1, ...times };
    expect((await records(tenant.project)).slice(2).map(({ data }) => data)).toEqual([
      { kid: expired.kid, reason: "expired", ...repeats },
      { kid: valid.kid, reason: "wrong secret", ...repeats },
    ]);
    const ofBob = (await records(tenant.organization)).slice(2);
    expect(ofBob.map(({ status, data }) => [status, data])).toEqual([
      [401, { ...weak, count: attemptsOfBob - 1, ...times }],
      [403, { ...withoutRole, count: attemptsOfBob - 1, ...times }],
    ]);
  });
});
