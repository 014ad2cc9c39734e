import { afterAll, expect, it } from "@jest/globals";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { connectGraph } from "../src/index.ts";

const graph = connectGraph(neo4jOfTests());
const database = graph.shared;

afterAll(() => graph.close());

it("readRow fails only the rows that take too long", async () => {
  const counting = `UNWIND $rows AS row
    CALL (row) { UNWIND range(1, row.n) AS a UNWIND range(1, row.n) AS b WITH a, b WHERE a + b < 0 RETURN count(*) AS none }
    RETURN row.i AS i, row.n AS n`;
  const limits = { timeoutMs: 6_000 };
  const slow = 1_000_000;
  const ask = (n: number) => database.readRow(counting, { n }, limits);
  // Planned before it is measured.
  await ask(1);
  const reads = Array.from({ length: 100 }, (_, n) => ask([20, 70].includes(n) ? slow : n));
  const settled = await Promise.allSettled(reads);
  settled.forEach((each, n) =>
    expect(each).toMatchObject(
      [20, 70].includes(n)
        ? { status: "rejected", reason: { name: "StatementTimeout", timeoutMs: 6_000 } }
        : { status: "fulfilled", value: { n } },
    ),
  );
}, 60_000);
