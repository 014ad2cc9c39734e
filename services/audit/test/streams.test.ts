import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { startRedis, type TestRedis } from "../../../stack/src/testing/servers/test-redis.ts";
import { readStreams } from "../src/writer/streams.ts";

let server: TestRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
  // It reports each connection that is lost.
  redis.on("error", () => undefined);
}, 30_000);
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const replace = async (): Promise<void> => {
  await server.stop();
  await server.start();
};
const read = (from = redis) => readStreams(from, new Date());

it("keeps the id of the streams while their server runs", async () => {
  const first = await read();
  expect(first.id).not.toBe("");
  expect(await read()).toEqual(first);
});

it("gives the streams of another server another id, from then on", async () => {
  const first = await read();
  await replace();
  const second = await read();
  expect(second.id).not.toBe(first.id);
  expect(await read()).toEqual(second);
});

it("gives them one id where the server is replaced before the script runs", async () => {
  await read();
  const replacedFirst = new Proxy(redis, {
    get: (target, name) =>
      name === "eval"
        ? async (...given: Parameters<Redis["eval"]>) => {
            await replace();
            return target.eval(...given);
          }
        : Reflect.get(target, name, target),
  });
  const during = await read(replacedFirst);
  expect(await read()).toEqual(during);
});
