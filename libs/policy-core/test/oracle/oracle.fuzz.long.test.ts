import { afterAll, beforeAll, describe, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { openTestGraph } from "../graph.ts";
import { runs, seed, timeLimit } from "../runs.ts";
import { fuzz } from "./fuzz.ts";
import { casesPerGroup } from "./generate/cases.ts";
import { assertReport } from "./assert-report.ts";
import { kbacCases } from "./kbac-cases.ts";
import { queryCases } from "./query-cases.ts";

let graph: Graph;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
afterAll(() => graph.close());

/** `npm test` compares the same decisions and reads beside a neighbour, in tenancy.fuzz.test.ts. */
describe("the database answers as the evaluator that shares nothing with the engine", () => {
  it(
    "decisions in row form and in plain form, and searches",
    async () => {
      const options = { name: "decisions", count: runs(1_200, 48), seed: seed(), perGroup: casesPerGroup };
      assertReport(await fuzz(graph, kbacCases, options), 0.33);
    },
    timeLimit(600_000),
  );

  it(
    "rows of reading queries",
    async () => {
      const options = { name: "reads", count: runs(900, 48), seed: seed(), perGroup: casesPerGroup };
      assertReport(await fuzz(graph, queryCases, options), 0.33);
    },
    timeLimit(600_000),
  );
});
