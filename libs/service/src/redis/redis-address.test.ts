import { describe, expect, it } from "@jest/globals";
import { redisAddress } from "./redis-address.ts";

describe("the address of Redis", () => {
  it.each(["redis://127.0.0.1:6379", "rediss://user:p%40ss@redis.example/3"])("is one server: %s", (url) => {
    expect(redisAddress(url)).toEqual({ url });
  });

  it("names Sentinels", () => {
    expect(redisAddress("redis+sentinel://one:26380,two,[::1]:26381/main")).toEqual({
      sentinels: [
        { host: "one", port: 26_380 },
        { host: "two", port: 26_379 },
        { host: "::1", port: 26_381 },
      ],
      name: "main",
    });
  });

  it("names Sentinels with everything", () => {
    const url =
      "rediss+sentinel://ikg:p%40s%2Fs@one:1/main/2?sentinel_username=watch&sentinel_password=w%26rd";
    expect(redisAddress(url)).toEqual({
      sentinels: [{ host: "one", port: 1 }],
      name: "main",
      username: "ikg",
      password: "p@s/s",
      db: 2,
      sentinelUsername: "watch",
      sentinelPassword: "w&rd",
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    });
    expect(redisAddress("redis+sentinel://:word@one/main")).toEqual({
      sentinels: [{ host: "one", port: 26_379 }],
      name: "main",
      password: "word",
    });
  });

  it.each([
    "http://one",
    "redis+sentinel://one:26379",
    "redis+sentinel:///main",
    "redis+sentinel://one,,two/main",
    "redis+sentinel://one:99999/main",
    "redis+sentinel://one:x/main",
    "redis+sentinel://one/main/x",
    "redis+sentinel://:%zz@one/main",
    "redis+cluster://one:1",
  ])("is not %s", (url) => {
    expect(redisAddress(url)).toBeUndefined();
  });
});
