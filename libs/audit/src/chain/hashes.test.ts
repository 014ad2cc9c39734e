import { describe, expect, it } from "@jest/globals";
import { canonical } from "./canonical.ts";
import { dataHash, headHash } from "./hashes.ts";

const project_id = "gid:AAAAAgGQAAAAAHAAgAAAAAAAAAE";
const first = [{ id: "e1", time: "2026-06-01T00:00:00.000Z", type: "audit.config.create" }];
const second = [
  { id: "e2", time: "2026-06-01T00:00:05.000Z", type: "audit.authorization.evaluation" },
  { id: "e3", time: "2026-06-01T00:00:06.000Z", type: "audit.ciq.execute" },
];

describe("hashes of the chain", () => {
  it("are those of the test vector", async () => {
    const data = await dataHash(first);
    expect(data).toBe("16c522b4b4ab1e2eb898235be846ef4cb0ebeb9750bcbdcf2374541454fd1dfb");
    const head = await headHash({ project_id, sequence: 1, prev_hash: "", data_hash: data, batch_id: "b1" });
    expect(head).toBe("30b509ce3049f82a38c4c7aa870ca7ef6043886bbe2bc5047a6fdc3ed47b8513");
    const next = await dataHash(second);
    expect(next).toBe("bfd615e8d358e29baeb3f9b03a32fcb5ed7f2ad30331e0f88e3e926949b81e63");
    expect(
      await headHash({ project_id, sequence: 2, prev_hash: head, data_hash: next, batch_id: "b2" }),
    ).toBe("bf40c9876e7b899d82997c1ffce1387772690281a18f1dbb1ce1466579a2c510");
  });

  it("do not depend on the order of members, and do on that of events", async () => {
    const [one, two] = second;
    const turned = { type: two?.type, time: two?.time, id: two?.id };
    expect(await dataHash([one ?? {}, turned])).toBe(await dataHash(second));
    expect(await dataHash(second.toReversed())).not.toBe(await dataHash(second));
  });

  it("refuse what has no JSON", () => {
    expect(() => canonical(undefined)).toThrow("no JSON");
    expect(() => canonical({ a: "\ud800" })).toThrow("surrogate");
    expect(() => canonical([Number.NaN])).toThrow("NaN");
  });
});
