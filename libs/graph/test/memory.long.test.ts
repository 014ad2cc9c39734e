import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { connectGraph, type Graph, MemoryLimitExceeded } from "@ikg/graph";
import { second } from "../../../stack/src/stores/neo4j.ts";
import { type Killable, openKillable } from "../../../stack/src/testing/servers/killable.ts";

/** A server with little memory for transactions: what callers receive when one, or all of them together, need more. */
let neo4j: Killable;
let graph: Graph;
const options = { timeoutMs: 30_000 };

beforeAll(async () => {
  neo4j = await openKillable({
    ...second,
    settings: { "dbms.memory.transaction.total.max": "256m", "db.memory.transaction.max": "64m" },
  });
  const { url: uri, username, password } = neo4j;
  graph = connectGraph({ uri, username, password });
  await graph.prepare();
}, 300_000);
afterAll(async () => {
  await graph?.close();
  await neo4j?.remove();
}, 120_000);

const collecting =
  "UNWIND range(1, $count) AS i WITH collect(toString(i)) AS list UNWIND list AS text RETURN count(DISTINCT text) AS n";
const collect = (count: number, more: object = {}): Promise<unknown> =>
  graph.shared.read(collecting, { count }, { ...options, ...more });
const create = "UNWIND range(1, $count) AS i CREATE (:Mark {at: $at, number: i, text: 'text'})";
const countOf = async (at: string): Promise<unknown> =>
  (await graph.shared.read("MATCH (m:Mark {at: $at}) RETURN count(m) AS n", { at }, options))[0]?.["n"];
const outcome = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "written",
    (error: unknown) => error,
  );

const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.code === "unavailable";

describe("a statement that needs more memory than one transaction may use", () => {
  it("is refused by the name and value of the limit, and tried once", async () => {
    const refused = await outcome(collect(3_000_000));
    expect(refused).toBeInstanceOf(MemoryLimitExceeded);
    expect(refused).toMatchObject({
      message: "needs more memory than one transaction may use (limit db.memory.transaction.max, 64.0 MiB)",
    });
  });

  // The smallest fits; the next ones meet the limit when they are committed, the largest before.
  it.each([5_000, 35_000, 40_000, 50_000, 60_000, 150_000])(
    "has written nothing when it is refused: %d nodes",
    async (count) => {
      const returning = `${create} RETURN count(*) AS n`;
      for (const [at, write] of [
        [
          `write-${count}`,
          (at: string) => graph.shared.write((tx) => tx.run(create, { count, at }), options),
        ],
        [`once-${count}`, (at: string) => graph.shared.writeOnce(returning, { count, at }, options)],
      ] as const) {
        const answer = await outcome(write(at));
        // What the transaction before held may not be free yet.
        if (count > 30_000 && !isUnavailable(answer)) expect(answer).toBeInstanceOf(MemoryLimitExceeded);
        if (count < 30_000) expect(answer).toBe("written");
        expect(await countOf(at)).toBe(answer === "written" ? count : 0);
      }
    },
    60_000,
  );
});
