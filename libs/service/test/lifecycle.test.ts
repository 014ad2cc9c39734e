import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { startService } from "../src/process/service.ts";
import { settings } from "./test-settings.ts";

describe("a Neo4j that is too old", () => {
  it("ends the start with one clear line", async () => {
    const other = await startService("access", settings);
    const log = other.log.transports[0];
    if (log !== undefined) log.silent = true;
    other.onReadyCheck("neo4j", () => {
      other.onOldServer("5.25.1");
      return Promise.resolve(false);
    });
    await expect(other.listen()).rejects.toThrow("Neo4j 5.25.1 is too old: 5.26 or newer is needed");
    await other.close();
  });
});

describe("a Neo4j that refuses the password", () => {
  it("ends the start at once, with one clear line", async () => {
    const other = await startService("access", settings);
    const log = other.log.transports[0];
    if (log !== undefined) log.silent = true;
    other.onReadyCheck("neo4j", () => {
      other.onCredentialWrong();
      return Promise.resolve(false);
    });
    await expect(other.listen()).rejects.toThrow(
      "neo4j refuses the user name or the password; check NEO4J_USERNAME and NEO4J_PASSWORD",
    );
    await other.close();
  });
});

describe("a Redis that becomes unavailable", () => {
  it("is needed for the start, and leaves a process ready that was connected once", async () => {
    const { host, hostname, port: redisPort } = new URL(settings.REDIS_URL);
    const proxy = await openFaultyProxy({ host: hostname, port: Number(redisPort || 6379) });
    proxy.state = "reset";
    const REDIS_URL = settings.REDIS_URL.replace(host, `127.0.0.1:${proxy.port}`);
    const other = await startService("access", { ...settings, REDIS_URL, DRAIN_DELAY_MS: 0 });
    const log = other.log.transports[0];
    if (log !== undefined) log.silent = true;
    let wasReady = false;
    const listening = other.listen().finally(() => (wasReady = true));
    const connected = async (): Promise<string> =>
      /^ikg_redis_connected\b.* (\d)$/m.exec(await other.metrics.registry.metrics())?.[1] ?? "";
    const untilConnected = (wanted: string): Promise<string> =>
      eventually(connected, (state) => state === wanted, { withinMs: 10_000, everyMs: 50 });
    try {
      await wait(1_000);
      expect(wasReady).toBe(false);
      proxy.state = "through";
      const { port } = await listening;
      expect(await connected()).toBe("1");
      proxy.state = "reset";
      await untilConnected("0");
      // A result of the checks is reused for half a second.
      await wait(600);
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      proxy.state = "through";
      await untilConnected("1");
    } finally {
      await other.close();
      await proxy.close();
    }
  }, 40_000);
});

describe("a project's own database whose schema version is not understood", () => {
  it("is named in one line of the log, and in another one when that is over", async () => {
    const other = await startService("access", { ...settings, DRAIN_DELAY_MS: 0 });
    const lines: unknown[][] = [];
    const collect =
      (level: string) =>
      (...line: unknown[]): void =>
        void lines.push([level, ...line]);
    Object.assign(other.log, { warn: collect("warn"), info: collect("info") });
    await other.listen();
    other.onOwnSchema({ projectId: "a", constituent: "db2", reason: "too new" });
    other.onOwnSchema({ projectId: "a", constituent: undefined, reason: undefined });
    await other.close();
    expect(lines.filter(([, message]) => String(message).includes("schema version"))).toEqual([
      [
        "warn",
        "the schema version of a project's own database is not understood",
        { project: "a", constituent: "db2", reason: "too new" },
      ],
      ["info", "the schema version of a project's own database is understood again", { project: "a" }],
    ]);
  });
});

describe("a process that stops", () => {
  it("closes every part and waits for all together for CLOSE_SECONDS", async () => {
    const stopping = await startService("access", { ...settings, CLOSE_SECONDS: 1, DRAIN_DELAY_MS: 0 });
    const closed: string[] = [];
    const part = (name: string, close: () => Promise<void>): void =>
      stopping.onClose(name, async () => {
        closed.push(name);
        await close();
      });
    part("first", () => Promise.resolve());
    part("broken", () => Promise.reject(new Error("cannot be closed")));
    // As a worker at a statement that its database does not answer.
    part("endless", () => new Promise(() => undefined));
    part("last", () => new Promise((resolve) => setTimeout(resolve, 100)));
    await stopping.listen();
    const began = performance.now();
    await stopping.close();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(closed).toEqual(["last", "endless", "broken", "first"]);
  });
});
