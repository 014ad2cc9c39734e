import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { ServiceName } from "@ikg/contracts";
import { Redis } from "ioredis";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import type { HealthStatus } from "../src/process/health.ts";
import { readSuiteStatus } from "../src/replicas/read-replicas.ts";
import { replicasKey } from "../src/replicas/replica-entry.ts";
import { openReplicaReports } from "../src/replicas/report-replica.ts";
import { version } from "../src/process/version.ts";

const url = requireVariable("REDIS_URL");

let redis: Redis;
const closers: (() => Promise<void>)[] = [];
const warnings: unknown[] = [];

beforeEach(async () => {
  redis = new Redis(url, { db: 4 });
  await redis.flushdb();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  redis.disconnect();
});

const openProcess = (service: ServiceName, status: () => HealthStatus) => {
  const reports = openReplicaReports({
    service,
    redis,
    health: { status: async () => status() },
    log: { warn: (...line: unknown[]) => void warnings.push(line) } as never, // of the logger's many forms
    intervalMs: 20,
  });
  reports.start();
  closers.push(reports.close);
  return reports;
};

const replicasOf = async (name: ServiceName) =>
  (await readSuiteStatus(redis)).services.find(({ service }) => service === name)?.replicas;

const until = (isTrue: () => Promise<boolean>): Promise<boolean> =>
  eventually(isTrue, Boolean, { withinMs: 5_000, everyMs: 20 });

it("processes report what they are now, one entry each, and withdraw it when they end", async () => {
  let status: HealthStatus = "ready";
  const changing = openProcess("mcp", () => status);
  openProcess("mcp", () => "ready");
  await until(async () => (await replicasOf("mcp"))?.length === 2);
  expect(await replicasOf("mcp")).toEqual([
    { status: "ready", version },
    { status: "ready", version },
  ]);
  status = "unavailable";
  await until(async () => JSON.stringify(await replicasOf("mcp")).includes("unavailable"));
  expect((await replicasOf("mcp"))?.map((each) => each.status).toSorted()).toEqual(["ready", "unavailable"]);
  expect(await redis.zcard(replicasKey)).toBe(2);
  await changing.close();
  expect(await replicasOf("mcp")).toEqual([{ status: "ready", version }]);
  expect(warnings).toEqual([]);
});

it("a process that was killed is unreachable, is given up, and is forgotten after a day", async () => {
  openProcess("mcp", () => "ready");
  await until(async () => (await replicasOf("mcp"))?.length === 1);
  const seconds = Number((await redis.time())[0]);
  const entry = (id: string) => `ciq ${id} ready 0.0.9`;
  await redis.zadd(replicasKey, seconds - 30, entry("silent"), seconds - 90, entry("lost"));
  await redis.zadd(replicasKey, seconds - 90_000, "audit old ready 0.0.9");
  expect(await replicasOf("ciq")).toEqual([{ status: "unreachable", version: "0.0.9" }]);
  await until(async () => (await replicasOf("audit")) === undefined);
  expect(await replicasOf("audit")).toBeUndefined();
});

it("the newest thousand reports are kept", async () => {
  const seconds = Number((await redis.time())[0]);
  const many = Array.from({ length: 1_200 }, (_, at) => [seconds - 70_000, `ciq i${at} ready 0.0.9`]);
  await redis.zadd(replicasKey, ...(many.flat() as [number, string]));
  openProcess("mcp", () => "ready");
  await until(async () => (await redis.zcard(replicasKey)) === 1_000);
  expect([await redis.zcard(replicasKey), await replicasOf("mcp")]).toEqual([
    1_000,
    [{ status: "ready", version }],
  ]);
});

it("a Redis that refuses is logged once, and the process goes on", async () => {
  await redis.set(replicasKey, "of another kind");
  openProcess("mcp", () => "ready");
  await until(async () => warnings.length > 0);
  await wait(100);
  expect(warnings.splice(0)).toHaveLength(1);
  await redis.del(replicasKey);
});
