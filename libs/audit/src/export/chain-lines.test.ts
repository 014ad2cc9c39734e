import { describe, expect, it } from "@jest/globals";
import { makeChain, newKey } from "../testing/made-chain.ts";
import { chainLines, type ChainSource } from "./chain-lines.ts";
import { verifyExport } from "./verify-export.ts";

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

describe("a chain as the endpoints show it", () => {
  it("verifies as far as it had come at the beginning, with the keys that it needs", async () => {
    const [key, later] = [newKey("k1"), newKey("k2")];
    const chain = await makeChain([key, key, later]);
    const grown: ChainSource = {
      // The third batch and its checkpoint were made after the manifests were read.
      manifests: () => each(chain.manifests.slice(0, 2)),
      batches: () => each(chain.batches),
      checkpoints: () => each(chain.checkpoints),
      keys: async () => ({ keys: chain.keys }),
    };
    expect(await verifyExport(chainLines(grown))).toMatchObject({
      last: 2,
      batches: 2,
      checkpoints: 0,
      failed: [],
    });
    const whole = { ...grown, manifests: () => each(chain.manifests) };
    expect(await verifyExport(chainLines(whole))).toMatchObject({ last: 3, checkpoints: 1, failed: [] });
    const gap = { ...whole, batches: () => each(chain.batches.toSpliced(1, 1)) };
    expect((await verifyExport(chainLines(gap))).failed).toEqual([
      { record: "batch 2", reason: "it is missing", sequence: 2 },
    ]);
  });
});
