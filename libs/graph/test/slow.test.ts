import { afterAll, describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { connectGraph, type SlowStatement } from "../src/index.ts";

const slowStatements: SlowStatement[] = [];
const graph = connectGraph(neo4jOfTests(), { slowMs: 1, onSlow: (slow) => void slowStatements.push(slow) });
const quick = connectGraph(neo4jOfTests(), {
  slowMs: 60_000,
  onSlow: (slow) => void slowStatements.push(slow),
});
afterAll(() => Promise.all([graph.close(), quick.close()]));

const options = { timeoutMs: 30_000, requestId: "request 1" };
const findSlowStatement = (part: string): Promise<SlowStatement> =>
  eventually(
    () => slowStatements.find(({ statement }) => statement.includes(part)),
    (found) => found !== undefined,
    { withinMs: 20_000, everyMs: 20 },
  );

describe("a slow statement", () => {
  it("is reported with its plan, and without values", async () => {
    const text =
      "UNWIND range(1, 300000) AS a WITH a WHERE a <> $secret AND 'hidden' <> 'b' RETURN count(a) AS n";
    const [row] = await graph.shared.read(text, { secret: "do not show" }, options);
    expect(row).toEqual({ n: 300_000 });
    const slow = await findSlowStatement("UNWIND");
    expect(slow).toMatchObject({ rows: 1, failed: false, requestId: "request 1" });
    expect(slow.statement).toBe(
      "UNWIND range(?, ?) AS a WITH a WHERE a <> $secret AND ? <> ? RETURN count(a) AS n",
    );
    expect(slow.plan).toMatch(/^ProduceResults \d+ < EagerAggregation \d+ < .*Unwind/);
    expect(JSON.stringify(slow)).not.toMatch(/hidden|do not show/);
  });

  it("is reported when it writes, and nothing is written by asking for its plan", async () => {
    await graph.shared.write(async (tx) => {
      await tx.run("UNWIND range(1, 2000) AS slowWrite CREATE (n:SlowWriteTest {n: slowWrite})", {});
    }, options);
    const slow = await findSlowStatement("slowWrite");
    expect(slow.plan).toContain("Create");
    const [row] = await graph.shared.read("MATCH (n:SlowWriteTest) RETURN count(n) AS n", {}, options);
    expect(row).toEqual({ n: 2_000 });
    await graph.shared.write(async (tx) => {
      await tx.run("MATCH (n:SlowWriteTest) DELETE n", {});
    }, options);
  });

  it("is none that is quick", async () => {
    await quick.shared.read("RETURN 'quick' AS quickOne", {}, options);
    await wait(200);
    expect(slowStatements.filter(({ statement }) => statement.includes("quickOne"))).toEqual([]);
  });
});
