import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Redis } from "ioredis";
import type { Chains } from "./chains.ts";
import { keyVersion, withKeyVersions } from "./key-versions.ts";

const project = "gid:project";
const stored = new Map<string, string>();
const redis = {
  get: async (key: string) => stored.get(key) ?? null,
  set: async (key: string, value: string) => void stored.set(key, value),
} as unknown as Redis; // the commands that are used
/** The version while a batch was being written. */
let meanwhile: string | undefined;
const chains = (fails = false) =>
  withKeyVersions(
    {
      append: async () => {
        meanwhile = await keyVersion(redis, project);
        if (fails) throw new Error("taken");
      },
    } as unknown as Chains, // the method that is called
    redis,
  );
/** A batch that is signed with `kid`, of a chain whose last one was signed with `before`. */
const append = (kid: string, before: string, fails = false) =>
  chains(fails).append({ project, kid: before } as never, { manifest: { kid } } as never); // what is read of them

beforeEach(() => stored.clear());

describe("the version of a chain's public keys", () => {
  it("stays while batches are signed with the same key", async () => {
    await append("a", "a");
    expect([meanwhile, await keyVersion(redis, project)]).toEqual(["", ""]);
  });

  it("is unknown while a key is added, and another one afterwards, also when that failed", async () => {
    const versions = new Set([await keyVersion(redis, project)]);
    for (const fails of [false, true]) {
      await append("b", "a", fails).catch(() => undefined);
      expect(meanwhile).toBeUndefined();
      versions.add(await keyVersion(redis, project));
    }
    expect(versions.size).toBe(3);
    expect(versions).not.toContain(undefined);
  });

  it("is unknown while Redis is unavailable", async () => {
    const gone = { get: () => Promise.reject(new Error("away")) } as unknown as Redis; // the command that is used
    expect(await keyVersion(gone, project)).toBeUndefined();
  });
});
