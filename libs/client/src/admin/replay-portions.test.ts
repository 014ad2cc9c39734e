import { describe, expect, it } from "@jest/globals";
import type { AuditRecord } from "../contract/wire.ts";
import { replayPortions } from "./replay-portions.ts";

const record = (id: number, data: object = {}): AuditRecord => ({
  id: String(id),
  type: "audit.authorization.evaluation",
  data,
});

const sizes = async (records: readonly AuditRecord[]): Promise<readonly number[]> => {
  const portions = await Array.fromAsync(replayPortions(records));
  expect(portions.flat()).toEqual(records);
  return portions.map(({ length }) => length);
};

describe("portions of a replay", () => {
  it("have 1,000 records at most", async () => {
    expect(await sizes([])).toEqual([]);
    expect(await sizes(Array.from({ length: 2_001 }, (_, id) => record(id)))).toEqual([1_000, 1_000, 1]);
  });

  it("have 10,000 decisions at most, where a batch has many", async () => {
    const batch = { evaluations: Array.from({ length: 1_000 }, () => ({})) };
    expect(await sizes(Array.from({ length: 11 }, (_, id) => record(id, batch)))).toEqual([10, 1]);
  });

  it("have a megabyte at most, counted in bytes", async () => {
    const wide = { note: "ü".repeat(250_000) };
    expect(await sizes(Array.from({ length: 3 }, (_, id) => record(id, wide)))).toEqual([1, 1, 1]);
    const narrow = { note: "u".repeat(250_000) };
    expect(await sizes(Array.from({ length: 5 }, (_, id) => record(id, narrow)))).toEqual([3, 2]);
  });
});
