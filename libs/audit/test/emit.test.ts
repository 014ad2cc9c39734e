import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { isLongRun, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import type { AuditRecord } from "../src/records/record.ts";
import { openEmission } from "../src/emission/emit.ts";
import { maxRecordBytes } from "../src/records/fit-record.ts";
import { stateBounds, stateProjectBound, type WaitingBounds } from "../src/emission/bounds.ts";
import { addUpEntries, countEntries, removeEntries } from "../src/emission/scripts.ts";
import {
  chainsKey,
  entryOverhead,
  organizationField,
  recordField,
  streamKey,
  totalKey,
  waitingKey,
} from "../src/emission/stream.ts";
import { newRecord } from "../src/testing/new-record.ts";

const url = requireVariable("REDIS_URL");

const chain = newGid("project");
const otherChains = Array.from({ length: 4 }, () => newGid("project"));
let redis: Redis;
let lost: Readonly<Record<string, unknown>>[];

const recordOf = (name = "x", project = chain): AuditRecord => newRecord(project, name);

const organization = newGid("organization");
const emissionOn = (to: Redis, deadlineMs = 500, unbounded = false) => {
  const { emit } = openEmission({
    redis: to,
    log: { error: (_message, fields) => void lost.push(fields) },
    deadlineMs,
    unbounded,
    onLost: () => undefined,
  });
  return { emit: (record: AuditRecord) => emit(record, organization) };
};

/** Bytes that the counts say, of one chain and of all. */
const counted = async (of = chain): Promise<readonly [number, number]> => [
  Number(await redis.hget(waitingKey, of)),
  Number(await redis.get(totalKey)),
];
/** Bytes that lie in the streams of these tests. */
const waiting = async (of = chain): Promise<number> =>
  (await redis.xrange(streamKey(of), "-", "+")).reduce(
    (sum, [, fields]) => sum + (fields[1] ?? "").length + (fields[3] ?? "").length + entryOverhead,
    0,
  );

beforeEach(async () => {
  lost = [];
  // Of this file alone: the counts are those of a whole installation.
  redis = new Redis(url, { lazyConnect: true, db: 5 });
  await redis.flushdb();
});
afterEach(async () => {
  await redis.flushdb();
  redis.disconnect();
});

describe("emission", () => {
  it("keeps records in the order of their emission before it resolves", async () => {
    const { emit } = emissionOn(redis);
    const records = Array.from({ length: 1_000 }, (_, index) => recordOf(String(index)));
    await Promise.all(records.map(emit));
    const entries = await redis.xrange(streamKey(chain), "-", "+");
    expect(entries.map(([, fields]) => fields.slice(0, 4))).toEqual(
      records.map((record) => [recordField, JSON.stringify(record), organizationField, organization]),
    );
    expect(await redis.sismember(chainsKey, chain)).toBe(1);
    expect(lost).toEqual([]);
  });

  it("says which records are lost when Redis refuses them, and keeps the others", async () => {
    const { emit } = emissionOn(redis);
    await redis.set(streamKey(chain), "no stream");
    const record = recordOf();
    await emit(record);
    expect(lost).toMatchObject([{ id: record.id, reason: "refused", code: "WRONGTYPE" }]);
    await redis.del(streamKey(chain));
    await emit(recordOf());
    expect(await redis.xlen(streamKey(chain))).toBe(1);
  });

  it("keeps at most the bytes of a project, and goes on when there is room", async () => {
    const { emit } = emissionOn(redis);
    await stateBounds(redis, { total: 1_000_000, project: 10_000, reserve: 1_000 });
    await Promise.all(Array.from({ length: 30 }, (_, n) => emit(recordOf("x".repeat(1_000) + n))));
    const kept = await redis.xlen(streamKey(chain));
    expect(kept).toBeGreaterThan(5);
    expect(await waiting()).toBeLessThanOrEqual(10_000);
    expect(await counted()).toEqual([await waiting(), await waiting()]);
    expect(lost).toHaveLength(30 - kept);
    expect(lost[0]).toMatchObject({ reason: "project_full", project: chain, type: "audit.config.create" });
    const [first] = await redis.xrange(streamKey(chain), "-", "+", "COUNT", 1);
    await removeEntries(redis, chain, [first?.[0] ?? ""]);
    await emit(recordOf("x".repeat(1_000)));
    expect(lost).toHaveLength(30 - kept);
    await emit(recordOf("x".repeat(1_000)));
    expect(lost).toHaveLength(31 - kept);
    await stateProjectBound(redis, chain, 20_000);
    await emit(recordOf("x".repeat(1_000)));
    expect(lost).toHaveLength(31 - kept);
    expect(await counted()).toEqual([await waiting(), await waiting()]);
  });

  it("leaves a quarter of all bytes to projects of which little waits", async () => {
    const { emit } = emissionOn(redis);
    const bounds: WaitingBounds = { total: 40_000, project: 20_000, reserve: 4_500 };
    await stateBounds(redis, bounds);
    const [one, two, light, last] = otherChains;
    for (const project of [one, two])
      await Promise.all(Array.from({ length: 30 }, () => emit(recordOf("x".repeat(1_000), project))));
    const [, full] = await counted();
    expect(full).toBeLessThanOrEqual(30_000);
    expect(full).toBeGreaterThan(28_000);
    expect(lost.map(({ reason }) => reason)).toEqual(expect.arrayContaining(["project_full", "all_full"]));
    lost = [];
    for (const project of [light, last])
      await Promise.all(Array.from({ length: 4 }, () => emit(recordOf("x".repeat(1_000), project))));
    expect(await redis.xlen(streamKey(light ?? ""))).toBe(3);
    expect(await redis.xlen(streamKey(last ?? ""))).toBe(3);
    expect(lost.map(({ reason }) => reason)).toEqual(["all_full", "all_full"]);
    for (let n = 0; n < 40; n++) await emit(recordOf("x".repeat(1_000), newGid("project")));
    expect((await counted())[1]).toBeLessThanOrEqual(bounds.total);
    // Records of failures to sign say why everything else waits.
    await emissionOn(redis, 500, true).emit(recordOf("signing"));
    expect(await redis.xlen(streamKey(chain))).toBe(1);
  });

  it("counts right again what changed behind its back", async () => {
    const { emit } = emissionOn(redis);
    for (let n = 0; n < 5; n++) await emit(recordOf(String(n)));
    for (let n = 0; n < 5; n++) await emit(recordOf(String(n), otherChains[0]));
    const right = [await waiting(), (await waiting()) + (await waiting(otherChains[0]))];
    expect(await counted()).toEqual(right);
    await redis.hset(waitingKey, chain, 1_000_000);
    await redis.set(totalKey, 77);
    await countEntries(redis, chain);
    await addUpEntries(redis);
    expect(await counted()).toEqual(right);
    await redis.del(waitingKey, totalKey);
    await emit(recordOf("next"));
    await countEntries(redis, otherChains[0] ?? "");
    expect(await counted()).toEqual([await waiting(), (await waiting()) + (await waiting(otherChains[0]))]);
    // Entries of a version that wrote no sums, before and between others.
    await redis.del(streamKey(chain));
    for (let n = 0; n < 3; n++) {
      await redis.xadd(streamKey(chain), "*", recordField, "{}", organizationField, organization);
      await emit(recordOf("new"));
    }
    expect((await counted())[0]).toBeGreaterThanOrEqual(await waiting());
    await redis.xtrim(streamKey(chain), "MAXLEN", 1);
    await countEntries(redis, chain);
    expect((await counted())[0]).toBe(await waiting());
    await redis.xtrim(streamKey(chain), "MAXLEN", 0);
    await countEntries(redis, chain);
    expect(await redis.hexists(waitingKey, chain)).toBe(0);
    // Of a chain of which nothing waits nothing is left, until its next record.
    expect([await redis.sismember(chainsKey, chain), await redis.exists(streamKey(chain))]).toEqual([0, 0]);
    await emit(recordOf("again"));
    expect([await redis.sismember(chainsKey, chain), await redis.xlen(streamKey(chain))]).toEqual([1, 1]);
  });

  it("counts at least three quarters of the memory that Redis takes", async () => {
    const { emit } = emissionOn(redis);
    await stateBounds(redis, { total: 1e9, project: 1e9, reserve: 1e6 });
    const sizes = [100, 2_000, 9_000, ...(isLongRun() ? [600, 1_700, 2_500, 3_500, 4_200, 15_000] : [])];
    for (const size of sizes) {
      const project = newGid("project");
      for (let n = 0; n < 300; n++) await emit(recordOf("x".repeat(size), project));
      const taken = Number(await redis.memory("USAGE", streamKey(project), "SAMPLES", 0));
      const [bytes] = await counted(project);
      expect(taken / bytes).toBeLessThan(1.33);
    }
  });

  it("never logs what a record says", async () => {
    const { emit } = emissionOn(redis);
    await stateBounds(redis, { total: 1_000, project: 100, reserve: 50 });
    const secret = "a-value-of-a-caller";
    await emit(recordOf(secret));
    await redis.set(streamKey(otherChains[0] ?? ""), "no stream");
    await emit(recordOf(secret, otherChains[0]));
    await emit(recordOf(secret.repeat(maxRecordBytes)));
    expect(lost.map(({ reason }) => reason)).toEqual(["project_full", "refused", "too_large"]);
    for (const fields of lost) {
      expect(JSON.stringify(fields)).not.toContain(secret);
      expect(JSON.stringify(fields).length).toBeLessThan(500);
    }
  });

  it("loses what a Redis without memory refuses, at once, and goes on when there is some", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ikg-redis-"));
    const socket = join(folder, "redis.sock");
    const server = spawn(
      "redis-server",
      ["--port", "0", "--unixsocket", socket, "--save", "", "--maxmemory-policy", "noeviction"],
      { cwd: folder, stdio: "ignore", env: { PATH: `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin` } },
    );
    const small = new Redis(socket, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    small.on("error", () => undefined);
    try {
      await small.ping();
      const { emit } = emissionOn(small, 2_000);
      await emit(recordOf("before"));
      expect(lost).toEqual([]);
      await small.config("SET", "maxmemory", "1");
      const before = performance.now();
      await emit(recordOf("refused"));
      expect(performance.now() - before).toBeLessThan(2_000);
      expect(lost).toMatchObject([{ reason: "refused", code: "OOM" }]);
      const waits = await small.xlen(streamKey(chain));
      // Records that are stored are removed without any memory.
      expect(await removeEntries(small, chain, ["0-1"])).toBeGreaterThan(waits);
      await small.config("SET", "maxmemory", "0");
      await emit(recordOf("after"));
      expect(lost).toHaveLength(1);
      expect(await small.xlen(streamKey(chain))).toBe(2);
    } finally {
      small.disconnect();
      server.kill();
      await once(server, "exit");
      await rm(folder, { recursive: true });
    }
  });

  it("waits no longer than its deadline for a Redis that does not answer", async () => {
    const { hostname, port, password } = new URL(url);
    const sockets = new Set<Socket>();
    let silent = false;
    const relay: Server = createServer((client) => {
      const server = connect(Number(port), hostname);
      sockets.add(client).add(server);
      client.on("data", (data) => void (silent || server.write(data)));
      server.on("data", (data) => client.write(data));
      for (const socket of [client, server]) socket.on("error", () => undefined);
    });
    const address = await new Promise<ReturnType<Server["address"]>>((resolve) => {
      relay.listen(0, "127.0.0.1", () => resolve(relay.address()));
    });
    if (address === null || typeof address === "string") throw new Error("no address");
    const slow = new Redis(address.port, "127.0.0.1", {
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      maxRetriesPerRequest: 1,
      retryStrategy: () => 60_000,
    });
    slow.on("error", () => undefined);
    try {
      const { emit } = emissionOn(slow, 100);
      // Connecting takes a busy machine longer than this deadline.
      await slow.ping();
      await emit(recordOf());
      expect(lost).toEqual([]);
      silent = true;
      const before = performance.now();
      await emit(recordOf("late"));
      expect(performance.now() - before).toBeLessThan(1_000);
      expect(lost).toMatchObject([{ reason: "deadline" }]);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => slow.once("reconnecting", resolve));
      const away = performance.now();
      await emit(recordOf("away"));
      expect(performance.now() - away).toBeLessThan(90);
      expect(lost).toHaveLength(2);
    } finally {
      slow.disconnect();
      relay.close();
    }
  });
});
