import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AuditRecord, streamKey } from "@ikg/audit";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { tenant } from "./gateways-by-settings.ts";
import { ask, gatewayOf, provider, usePeople } from "./people-of-provider.ts";

/** Of this file alone: an audit service takes what waits in its streams. */
const redisUrl = `${requireVariable("REDIS_URL").replace(/\/\d+$/, "")}/6`;
let redis: Redis;

usePeople();
beforeAll(() => {
  redis = new Redis(redisUrl);
});
afterAll(async () => {
  await redis?.flushdb();
  redis?.disconnect();
});

/** Of the organization's chain. */
const records = async (): Promise<readonly AuditRecord[]> =>
  (await redis.xrange(streamKey(tenant.organization), "-", "+")).map(
    ([, fields]) => JSON.parse(fields[1] ?? "") as AuditRecord, // as it was emitted
  );

describe("refusals of people", () => {
  it.each<[string, Record<string, string>, number, string]>([
    ["without a role", {}, 403, "the caller has no role that permits this operation"],
    ["with a weak sign-in", { OIDC_ACR_VALUES: "phr" }, 401, "sign-in too weak or too old"],
  ])("%s leave one record at once and one for all that follow", async (_who, settings, status, reason) => {
    await redis.flushdb();
    const gateway = await gatewayOf({ REDIS_URL: redisUrl, ...settings });
    const token = await provider.accessToken("bob");
    // The operation makes no difference: else there would be a record for each.
    for (let times = 0; times < 10; times++)
      for (const method of ["GET", "POST"])
        expect((await ask(gateway, token, "/configs/v1/projects", method)).status).toBe(status);
    const data = { kid: `${provider.issuer}#bob`, owner: "bob", reason };
    expect((await records()).map((record) => [record.status, record.data])).toEqual([[status, data]]);
    await gateway.stop();
    const times = { first: expect.any(String), last: expect.any(String) };
    expect((await records()).slice(1).map((record) => [record.status, record.data])).toEqual([
      [status, { ...data, count: 19, ...times }],
    ]);
  });

  it("with a token that cannot be verified leave none", async () => {
    await redis.flushdb();
    const gateway = await gatewayOf({ REDIS_URL: redisUrl });
    const token = await provider.resign(await provider.accessToken("bob"), { aud: "https://other.example" });
    expect((await ask(gateway, token)).status).toBe(401);
    await gateway.stop();
    expect(await records()).toEqual([]);
  });
});
