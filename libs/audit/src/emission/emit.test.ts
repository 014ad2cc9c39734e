import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newGid, newUuid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { type AuditRecord, recordSchemas } from "../records/record.ts";
import { openEmission } from "./emit.ts";
import { chainsKey, organizationField, recordField, streamKey } from "./stream.ts";

const url = process.env["REDIS_URL"];
if (url === undefined) throw new Error("REDIS_URL is not set: these tests need a running Redis");

const chain = newGid("project");
let redis: Redis;
let lost: unknown[];

const newRecord = (name = "x"): AuditRecord =>
  recordSchemas["audit.config.create"].parse({
    id: newUuid(),
    time: new Date().toISOString(),
    type: "audit.config.create",
    project_id: chain,
    actor: { type: "system", id: "test" },
    outcome: "success",
    data: { kind: "project", name },
  });

const organization = newGid("organization");
const emissionOn = (to: Redis, deadlineMs = 500, mostWaiting = 1_000_000) => {
  const { emit } = openEmission({
    redis: to,
    log: { error: (_message, fields) => lost.push(fields["record"]) },
    deadlineMs,
    mostWaiting,
    onLost: () => undefined,
  });
  return { emit: (record: AuditRecord) => emit(record, organization) };
};

beforeEach(() => {
  lost = [];
  redis = new Redis(url, { lazyConnect: true });
});
afterEach(async () => {
  await redis.del(streamKey(chain));
  await redis.srem(chainsKey, chain);
  redis.disconnect();
});

describe("emission", () => {
  it("keeps records in the order of their emission before it resolves", async () => {
    const { emit } = emissionOn(redis);
    const records = Array.from({ length: 1_000 }, (_, index) => newRecord(String(index)));
    await Promise.all(records.map(emit));
    const entries = await redis.xrange(streamKey(chain), "-", "+");
    expect(entries.map(([, fields]) => fields)).toEqual(
      records.map((record) => [recordField, JSON.stringify(record), organizationField, organization]),
    );
    expect(await redis.sismember(chainsKey, chain)).toBe(1);
    expect(lost).toEqual([]);
  });

  it("says which records are lost when Redis refuses them, and keeps the others", async () => {
    const { emit } = emissionOn(redis);
    await redis.set(streamKey(chain), "no stream");
    const record = newRecord();
    await emit(record);
    expect(lost).toEqual([record]);
    await redis.del(streamKey(chain));
    await emit(newRecord());
    expect(await redis.xlen(streamKey(chain))).toBe(1);
  });

  it("leaves a stream bounded that nobody stores, and goes on when somebody does", async () => {
    const { emit } = emissionOn(redis, 500, 10);
    for (let index = 0; index < 30; index++) await emit(newRecord(String(index)));
    // The length is known after the record that made it.
    expect(await redis.xlen(streamKey(chain))).toBe(11);
    expect(lost).toHaveLength(19);
    expect(lost[0]).toMatchObject({ data: { name: "11" } });
    await redis.del(streamKey(chain));
    await emit(newRecord("finds it empty"));
    await emit(newRecord("kept"));
    expect(await redis.xlen(streamKey(chain))).toBe(1);
    expect(lost).toHaveLength(20);
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
      await emit(newRecord("before"));
      expect(lost).toEqual([]);
      await small.config("SET", "maxmemory", "1");
      const before = performance.now();
      await emit(newRecord("refused"));
      expect(performance.now() - before).toBeLessThan(2_000);
      expect(lost).toMatchObject([{ data: { name: "refused" } }]);
      await small.config("SET", "maxmemory", "0");
      await emit(newRecord("after"));
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
      await emit(newRecord());
      expect(lost).toEqual([]);
      silent = true;
      const before = performance.now();
      await emit(newRecord("late"));
      expect(performance.now() - before).toBeLessThan(1_000);
      expect(lost).toMatchObject([{ data: { name: "late" } }]);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => slow.once("reconnecting", resolve));
      const away = performance.now();
      await emit(newRecord("away"));
      expect(performance.now() - away).toBeLessThan(90);
      expect(lost).toHaveLength(2);
    } finally {
      slow.disconnect();
      relay.close();
    }
  });
});
