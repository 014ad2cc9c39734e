import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openLastUse } from "@ikg/auth";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let account: Made;
let redis: Redis;
const path = "/service-account-credentials";

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  redis = new Redis(requireVariable("REDIS_URL"));
  account = await tenant.make("/service-accounts", {
    organization_id: tenant.organization,
    name: freshName(),
    role: "all_viewer",
  });
});
afterAll(async () => {
  redis?.disconnect();
  await configs?.close();
});

const issue = (more: object = {}): Promise<Made> =>
  tenant.make(path, { service_account_id: account.id, ...more });
const expiryOf = async ({ id }: Made): Promise<unknown> =>
  (await tenant.send("GET", `${path}/${id}`)).body["expire_time"];
const hours = (count: number): number => count * 3_600_000;

describe("the token of a service account", () => {
  it("is replaced by another one, with an overlap", async () => {
    const first = await issue();
    const started = Date.now();
    const second = await issue({ replaces: first.id, overlap_seconds: 3_600 });
    expect(second.body).toMatchObject({ replaces: first.id, overlap_seconds: 3_600 });
    const end = Date.parse(String(await expiryOf(first)));
    expect(end - started).toBeGreaterThanOrEqual(hours(1) - 1_000);
    expect(end - started).toBeLessThan(hours(1) + 30_000);
    // A replacement never prolongs.
    await issue({ replaces: first.id, overlap_seconds: 86_400 });
    expect(Date.parse(String(await expiryOf(first)))).toBe(end);
    const third = await issue({ replaces: second.id });
    expect(Date.parse(String(await expiryOf(second))) - Date.now()).toBeGreaterThan(hours(23));
    expect(await expiryOf(third)).toBeUndefined();
  });

  it("replaces none of another account, and says what is wrong", async () => {
    const other = await tenant.make("/service-accounts", {
      organization_id: tenant.organization,
      name: freshName(),
    });
    const theirs = await tenant.make(path, { service_account_id: other.id });
    for (const [body, errors] of [
      [{ replaces: theirs.id }, ["replaces: credential of the same service account expected"]],
      [{ overlap_seconds: 60 }, ["overlap_seconds: only with replaces"]],
      [
        { replaces: theirs.id, overlap_seconds: 59 },
        ["overlap_seconds: integer from 60 to 31536000 expected"],
      ],
    ] as const)
      expect(await tenant.send("POST", path, { service_account_id: account.id, ...body })).toMatchObject({
        status: 422,
        body: { errors },
      });
    expect(await expiryOf(theirs)).toBeUndefined();
  });

  it("shows the last day of its use", async () => {
    const used = await issue();
    expect(used.body).not.toHaveProperty("last_used");
    openLastUse(redis, () => Date.parse("2026-02-03T04:05:06Z"))(String(used.body["kid"]));
    await redis.ping();
    expect((await tenant.send("GET", `${path}/${used.id}`)).body["last_used"]).toBe("2026-02-03");
    const { data } = (await tenant.send("GET", `${path}?organization_id=${tenant.organization}`)).body;
    expect((data as { id: string; last_used?: string }[]).find(({ id }) => id === used.id)?.last_used).toBe(
      "2026-02-03",
    );
  });
});
