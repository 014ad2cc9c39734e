import { expect, it } from "@jest/globals";
import type { RawDatabase } from "./source.ts";
import { verifyChains } from "./verify-chains.ts";

it("compares what waits for a chain with what was copied, also where the chain has no batch yet", async () => {
  const database = { read: async () => [{ outbox: 2n, sealed: 1n }] } as unknown as RawDatabase; // all that is used
  const faults = await verifyChains(database, [
    { chain: "whole", sequence: 0, outbox: 2, sealed: 1 },
    { chain: "less", sequence: 0, outbox: 3, sealed: 2 },
  ]);
  expect(faults).toEqual([
    "audit chain less: 2 entries of records that wait instead of 3",
    "audit chain less: 1 sealed batches that wait instead of 2",
  ]);
});
