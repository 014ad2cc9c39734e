import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { redisUrlOf } from "../src/stores/redis-users.ts";
import { type ServiceName, services } from "../src/services/service-names.ts";
import { forgerName, readRefusals } from "../src/testing/runner/redis-refusals.ts";

/** What the user of each service may not do at the Redis under the tests, which `npm start` runs in the same way. */
const operatorUrl = process.env["REDIS_URL"] ?? "";
const { password } = new URL(operatorUrl);
const connections = new Map<ServiceName, Redis>();
const operator = new Redis(operatorUrl);

const own = `redis-users-${process.pid}`;
const kept = [
  `audit:${own}`,
  `ikg:rate:${own}`,
  `ikg:{statements}:time:${own}`,
  `ikg:import-turns:${own}`,
  `ikg:trust-slots:${own}`,
];

beforeAll(async () => {
  for (const name of services) {
    const url = redisUrlOf(name, operatorUrl, password);
    connections.set(name, new Redis(url, { connectionName: forgerName, maxRetriesPerRequest: 1 }));
  }
  await operator.xadd(`audit:${own}`, "*", "a", "record");
});

afterAll(async () => {
  for (const each of connections.values()) each.disconnect();
  await operator.del(...kept);
  operator.disconnect();
});

const refused = async (
  name: ServiceName,
  ...[command = "", ...args]: readonly string[]
): Promise<boolean> => {
  try {
    await connections.get(name)?.call(command, ...args);
    return false;
  } catch (error) {
    if (/NOPERM|can't (?:run|access)/.test(String(error))) return true;
    throw error;
  }
};

const evaluate = (script: string, key: string): readonly string[] => ["EVAL", script, "1", key];

/** Commands, and the only services that may send them. */
const rights: readonly (readonly [command: readonly string[], ...allowed: ServiceName[]])[] = [
  [["FLUSHDB"]],
  [["CONFIG", "GET", "requirepass"]],
  [["ACL", "LIST"]],
  [["KEYS", "*"]],
  [["CLIENT", "LIST"]],
  [["SET", own, "1"]],
  [["DEL", `audit:${own}`], "audit"],
  [["XDEL", `audit:${own}`, "1-1"], "audit"],
  [["SET", `audit:${own}`, "1"]],
  [evaluate("return redis.call('DEL', KEYS[1])", `audit:${own}-none`), "audit"],
  [evaluate("return redis.call('SET', KEYS[1], '1')", `audit:${own}-none`)],
  [["HSET", "audit:bounds", own, "1"], "audit"],
  [["PUBLISH", "ikg:changes", "{}"], "configs", "audit"],
  [["PUBLISH", "other", "{}"]],
  [["SET", `bearer:${own}`, "1"]],
  ...(["gateway", "access", "ciq", "mcp"] as const).flatMap((name) =>
    [["GET"], ["SET", "1"]].map(
      ([command = "", ...values]) => [[command, `bearer:${name}:${own}`, ...values], name] as const,
    ),
  ),
  [["DEL", `ikg:rate:${own}`], "gateway"],
  [evaluate("return redis.call('GET', KEYS[1])", `ikg:{requests}:${own}`), "gateway", "mcp"],
  [["DEL", `ikg:{requests}:${own}`]],
  [evaluate("return redis.call('SET', KEYS[1], '1')", `ikg:{statements}:time:${own}`), ...services],
  [evaluate("return redis.call('SET', KEYS[1], '1')", `ikg:{statements}:${own}`)],
  [["DEL", `ikg:mcp:{${own}}:all`], "mcp"],
  [evaluate("return redis.call('ZREM', KEYS[1], 'none')", "ikg:replicas"), ...services],
  [evaluate("return redis.call('ZRANGE', KEYS[1], 0, -1)", "ikg:replicas"), "configs"],
  [["DEL", "ikg:replicas"]],
  [["HGETALL", `ikg:import-turns:${own}`], "capture"],
  [["HGETALL", `ikg:trust-slots:${own}`], "trust-scorer"],
];

describe("the Redis user of a service", () => {
  it.each(services)("%s: may do what is its own", async (name) => {
    const may: string[] = [];
    const expected: string[] = [];
    for (const [command, ...allowed] of rights) {
      if (!(await refused(name, ...command))) may.push(command.join(" "));
      if (allowed.includes(name)) expected.push(command.join(" "));
    }
    expect(may).toEqual(expected);
  });

  it("has its refusals on record, apart from those of tests", async () => {
    const entries = await operator.call("ACL", "LOG", "128");
    expect(JSON.stringify(entries)).toContain(forgerName);
    expect((await readRefusals(operatorUrl)).filter(({ object }) => object.includes(own))).toEqual([]);
  });
});
