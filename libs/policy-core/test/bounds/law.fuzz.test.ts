import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import fc from "fast-check";
import { bindRow, compileCiq, type CiqPolicy } from "../../src/index.ts";
import { compileQuery } from "../../src/query/index.ts";
import { pageOf, readStatement } from "../../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, writeGraph } from "../graph.ts";
import { runToEnd } from "../hostile/run-accepted.ts";
import { runMeasured } from "../hostile/run-measured.ts";
import { isFuzzing, isLong, runs, seed, timeLimit } from "../runs.ts";
import { largestValues, storedValues } from "./largest.ts";
import { doublings, type Growing, growing } from "./growth.ts";
import { type Probe, startProbe } from "./probe.ts";

const pattern = "MATCH (subject:Nurse)-[:SIGNS]->(chart:Chart)";
/** The texts of as many nodes as a list that is collected has entries in the end. */
const collecting =
  "MATCH (subject)-[:KEEPS]->(item:Item) WITH subject, chart, collect(item.property.text) AS collected";
const items = 300;

const policyOf = (cypher: string): CiqPolicy | undefined => {
  const policy = {
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "Nurse" },
    condition: { cypher },
    allowed_reads: { aggregate_values: ["value"] },
  };
  const compilation = compileCiq(JSON.stringify(policy));
  return compilation.ok ? compilation.value : undefined;
};

/** The clauses that give the expression as `value`, or its length; doubled as often as asked. */
const cypherOf = ({ text }: Growing, doubled: number, whole: boolean): string => {
  const steps = Array.from(
    { length: doubled },
    (_, index) => ` WITH *, v${index} + v${index} AS v${index + 1}`,
  );
  const last = `v${doubled}`;
  const clauses = text.includes("collected") ? `${pattern} ${collecting}` : pattern;
  return `${clauses} WITH subject, chart, ${text} AS v0${steps.join("")} WITH *, ${whole ? last : `size(${last})`} AS value`;
};

/** Neither the limit of a statement nor what follows it takes longer; the machine may be busy. */
const limitMs = isLong() ? 3_000 : 1_000;
const graceMs = 1_000;
const slackMs = 2_000;
const mostMs = 3_000 + graceMs + slackMs;

/** As many as ten minutes allow; `npm run fuzz` draws any number. */
const drawn = runs(2_000, 28);
/** Of the accepted ones, those whose value the database makes: each is planned, and may take the whole limit. */
const maxMeasured = isLong() || isFuzzing() ? drawn : 10;

let graph: Graph;
let pk: ProjectKey;
let probe: Probe;

beforeAll(async () => {
  graph = openTestGraph(false);
  await graph.prepare();
  pk = freshKey();
  await writeGraph(
    graph,
    pk,
    [
      { type: "Nurse", id: "n", properties: storedValues },
      { type: "Chart", id: "c", properties: storedValues },
      ...Array.from({ length: items }, (_, at) => ({
        type: "Item",
        id: `i${at}`,
        properties: { text: `i${at},` },
      })),
    ],
    [
      ["Nurse/n", "SIGNS", "Chart/c"],
      ...Array.from({ length: items }, (_, at) => ["Nurse/n", "KEEPS", `Item/i${at}`] as const),
    ],
  );
  probe = await startProbe(graph);
}, 120_000);

afterAll(async () => {
  await probe.stop();
  await dropGraph(graph, pk);
  await graph.close();
}, 120_000);

/** How long a value is by the database; undefined where it was stopped in time. */
const lengthOf = async (policy: CiqPolicy): Promise<{ length: number | undefined; ms: number }> => {
  const query = compileQuery(JSON.stringify({ aggregate_values: ["value"] }), policy);
  if (!query.ok) throw new Error(query.faults.join("; "));
  const { text: s, list: l } = largestValues(policy.needs);
  const values = bindRow(query.value.needs, {
    inputParams: { s, l },
    token: { sub: "n", claim: s, list: l },
  });
  const row = { s: nodeKey(pk, "Nurse", "n"), skip: 0, take: 10, ...values };
  // An error of a value, the end of its time and the memory limit of its transaction end a statement as they should.
  const { text } = readStatement(query.value, pk);
  const run = () => runToEnd(graph, text, { __row: row }, limitMs);
  const { rows, ms, error } = await runMeasured(run, mostMs);
  if (error !== undefined) throw error;
  const length = pageOf(rows)[0]?.[0];
  return { length: typeof length === "number" ? length : undefined, ms };
};

describe("what an accepted expression makes", () => {
  it(
    "is no larger than its bound, and takes no longer than the limit and a second",
    async () => {
      let [accepted, refused] = [0, 0];
      await fc.assert(
        fc.asyncProperty(growing, doublings, async (expression, doubled) => {
          const whole = policyOf(cypherOf(expression, doubled, true));
          const measured = policyOf(cypherOf(expression, doubled, false));
          if (whole === undefined || measured === undefined) {
            refused += 1;
            return;
          }
          accepted += 1;
          if (accepted > maxMeasured) return;
          const bound = whole.condition.sizes.get("value");
          const { length, ms } = await lengthOf(measured);
          expect(ms).toBeLessThan(mostMs);
          const most = expression.kind === "text" ? bound?.characters.most : bound?.entries.most;
          if (length !== undefined) expect(length).toBeLessThanOrEqual(most ?? 0);
        }),
        { numRuns: drawn, seed: seed() },
      );
      expect(accepted).toBeGreaterThan(drawn / 10);
      expect(refused).toBeGreaterThan(drawn / 10);
    },
    timeLimit(240_000),
  );

  it("costs another tenant no answer", () => {
    expect(probe.failures).toEqual([]);
    expect(Math.max(...probe.answers)).toBeLessThan(graceMs + slackMs);
  });
});
