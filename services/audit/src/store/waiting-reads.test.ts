import { expect, it } from "@jest/globals";
import type { Database, Row } from "@ikg/graph";
import { outboxCounted } from "./chain-statements.ts";
import { waitingReads } from "./waiting-reads.ts";

it("finds every chain for which records wait, however many wait for one of them", async () => {
  /** Nodes of each chain, in the order of their keys. */
  const chains = new Map([
    ["a", 10],
    ["b", 3 * outboxCounted],
    ["c", 1],
  ]);
  const read = async (_text: string, { after }: { readonly after: string }): Promise<readonly Row[]> => {
    let left = outboxCounted;
    return [...chains]
      .filter(([chain]) => `${chain}/` > after)
      .flatMap(([chain, count]) => {
        const nodes = Math.min(left, count);
        left -= nodes;
        return nodes === 0 ? [] : [{ chain, nodes, records: nodes, bytes: nodes }];
      });
  };
  const database = { read } as unknown as Database; // all that is used
  const sizes = await waitingReads(database).outboxSizes();
  expect(sizes.map(({ chain, records }) => [chain, records])).toEqual([
    ["a", 10],
    ["b", outboxCounted - 10],
    ["c", 1],
  ]);
});
