import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { lockNodesText } from "@ikg/physical";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { type CaptureUnderTest, startCapture } from "./capture-under-test.ts";

let capture: CaptureUnderTest;

beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

/** Each batch has most of the people, so that it overlaps all others. */
const [people, batchSize] = isLongRun() ? [120, 100] : [60, 50];
const writers = 8;
const rounds = isLongRun() ? 4 : 2;

/** A repeatable shuffle: the same seed gives the same order. */
const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  let state = seed;
  const random = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  return items
    .map((item): [number, T] => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
};

const typeOf = (i: number): string => ["Person", "Robot", "Account"][i % 3] ?? "Person";
const ref = (i: number) => ({ external_id: `n${i}`, type: typeOf(i) });

describe("locking nodes first", () => {
  it("holds them until the transaction ends, also where no node ever had the property that it names", async () => {
    const project = capture.project();
    await project.nodes([ref(0)]);
    const keys = [`${project.pk}/${typeOf(0)}/n0`];
    const lock = (timeoutMs: number, meanwhile: () => Promise<void>) =>
      capture.graph.shared.write(
        async (tx) => {
          await tx.run(lockNodesText, { keys });
          await meanwhile();
        },
        { timeoutMs },
      );
    await lock(20_000, async () => {
      await expect(lock(500, async () => undefined)).rejects.toThrow("past its limit");
    });
    await lock(20_000, async () => undefined);
  });
});

describe("8 writers with overlapping shuffled batches", () => {
  it("make no duplicate and lose nothing", async () => {
    const project = capture.project();
    const all = Array.from({ length: people }, (_, i) => i);

    const nodeWriters = Array.from({ length: writers }, async (_, writer) => {
      for (let round = 0; round < rounds; round++) {
        const batch = shuffled(all, writer * 100 + round + 1).slice(0, batchSize);
        const { status } = await project.nodes(
          batch.map((i) => ({ ...ref(i), properties: [{ type: `w${writer}`, value: round }] })),
        );
        expect(status).toBe(200);
      }
    });
    await Promise.all(nodeWriters);
    await project.nodes(all.map(ref));
    const keys = await capture.graph.shared.read(
      `MATCH (n:_P__${project.pk}) RETURN n._key AS key, count(*) AS count, count(DISTINCT n.id) AS ids`,
      {},
      { timeoutMs: 80_000 },
    );
    expect(keys).toHaveLength(people);
    expect(keys.every((row) => row["count"] === 1 && row["ids"] === 1)).toBe(true);

    const edgeWriters = Array.from({ length: writers }, async (_, writer) => {
      for (let round = 0; round < rounds; round++) {
        const batch = shuffled(all, writer * 1000 + round + 7);
        const { status } = await project.relationships(
          batch.map((i) => ({
            source: ref(i),
            target: ref((i * 7 + 1) % people),
            type: i % 2 === 0 ? "KNOWS" : "LIKES",
            properties: [{ type: `w${writer}`, value: round }],
          })),
        );
        expect(status).toBe(200);
      }
    });
    await Promise.all(edgeWriters);
    const edges = await capture.graph.shared.read(
      `MATCH (a:_P__${project.pk})-[r]->(b)
       RETURN a._key AS a, type(r) AS type, b._key AS b, count(*) AS count, collect(properties(r)) AS properties`,
      {},
      { timeoutMs: 80_000 },
    );
    expect(edges).toHaveLength(people);
    const everyWriter = Object.fromEntries(
      Array.from({ length: writers }, (_, writer) => [`w${writer}`, rounds - 1]),
    );
    for (const edge of edges) {
      expect(edge["count"]).toBe(1);
      expect(edge["properties"]).toEqual([expect.objectContaining(everyWriter)]);
    }
  }, 60_000);
});
