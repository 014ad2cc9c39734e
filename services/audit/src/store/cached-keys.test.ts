import { describe, expect, it } from "@jest/globals";
import { cachedKeys } from "./cached-keys.ts";

const open = () => {
  let now = 0;
  let version: string | undefined = "";
  const reads: string[] = [];
  const keysOf = cachedKeys(
    async (project) => {
      reads.push(project);
      return [];
    },
    async () => version,
    () => now,
  );
  return {
    keysOf,
    reads,
    pass: (ms: number) => void (now += ms),
    change: (to: string | undefined) => void (version = to),
  };
};

describe("the public keys of chains", () => {
  it("are read once in some seconds, also where there are none", async () => {
    const { keysOf, reads, pass } = open();
    for (let i = 0; i < 100; i++) await keysOf("a");
    await keysOf("b");
    expect(reads).toEqual(["a", "b"]);
    pass(5_000);
    await keysOf("a");
    expect(reads).toEqual(["a", "b", "a"]);
  });

  it("are read again once one is added, and each time while that is under way", async () => {
    const { keysOf, reads, change } = open();
    await keysOf("a");
    change(undefined);
    await keysOf("a");
    await keysOf("a");
    change("1");
    await keysOf("a");
    await keysOf("a");
    expect(reads).toHaveLength(4);
    change("2");
    await keysOf("a");
    expect(reads).toHaveLength(5);
  });

  it("of many chains take bounded memory", async () => {
    const { keysOf, reads } = open();
    for (let chain = 0; chain < 1_001; chain++) await keysOf(String(chain));
    await keysOf("1000");
    expect(reads).toHaveLength(1_001);
    await keysOf("0");
    expect(reads).toHaveLength(1_002);
  });
});
