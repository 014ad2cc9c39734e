import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ChangeAnnouncement, changesChannel, newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { type ChangeWatch, watchChanges } from "../src/watch.ts";

const url = process.env["REDIS_URL"];

let redis: Redis;
let watch: ChangeWatch;
const changes: ChangeAnnouncement[] = [];
let gaps = 0;

const until = (holds: () => boolean): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 10_000, everyMs: 25 });

beforeAll(async () => {
  if (url === undefined) throw new Error("REDIS_URL is not set: run the tests by npm test");
  redis = new Redis(url);
  watch = watchChanges(
    redis,
    { warn: () => undefined },
    { onChange: (change) => void changes.push(change), onGap: () => void gaps++ },
  );
  await until(() => watch.isConnected());
});

afterAll(async () => {
  await watch.close();
  redis.disconnect();
});

describe("announcements of changes", () => {
  const id = newGid("project");
  const change = { kind: "project", id, organization_id: newGid("organization"), action: "created" };
  const findOwnChanges = (): ChangeAnnouncement[] => changes.filter((each) => each.id === id);

  it("are received once subscribed, and the gap before the subscription is reported", async () => {
    expect(gaps).toBeGreaterThan(0);
    await redis.publish(changesChannel, JSON.stringify(change));
    await until(() => findOwnChanges().length === 1);
    expect(findOwnChanges()).toEqual([change]);
  });

  it("count as lost when they cannot be read", async () => {
    const before = gaps;
    await redis.publish(changesChannel, `no change ${randomUUID()}`);
    await redis.publish(changesChannel, JSON.stringify({ ...change, kind: "something" }));
    await until(() => gaps >= before + 2);
  });

  it("count as lost while the connection was down", async () => {
    const before = gaps;
    const clients = String(await redis.client("LIST", "TYPE", "PUBSUB"));
    const ids = [...clients.matchAll(/(?:^|\n)id=(\d+).*? sub=1 /g)].map(([, client]) => client ?? "");
    // Every subscriber of this server that has one channel; the others of a shared server recover the same way.
    for (const client of ids) await redis.client("KILL", "ID", client);
    await until(() => gaps > before && watch.isConnected());
  });

  it("count as lost on a connection whose other end is gone without a word", async () => {
    const { hostname, port } = new URL(url ?? "");
    const proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
    const address = new URL(url ?? "");
    address.port = String(proxy.port);
    const far = new Redis(address.href).on("error", () => undefined);
    let missed = 0;
    const distant = watchChanges(
      far,
      { warn: () => undefined },
      { onChange: () => undefined, onGap: () => void missed++ },
    );
    try {
      await until(() => distant.isConnected());
      // As long as it says something, however late, it stands.
      await wait(isLongRun() ? 2_000 : 1_500);
      expect(distant.isConnected()).toBe(true);
      proxy.state = "silent";
      const began = performance.now();
      await until(() => !distant.isConnected());
      expect(performance.now() - began).toBeLessThan(1_500);
      // The long run waits until it counts as dead, too.
      if (!isLongRun()) return;
      const before = missed;
      proxy.state = "through";
      // The connection of before stays silent: another one is made.
      await until(() => missed > before && distant.isConnected());
    } finally {
      await distant.close();
      far.disconnect();
      await proxy.close();
    }
  }, 20_000);
});
