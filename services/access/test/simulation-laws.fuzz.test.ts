import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { assertReport, fuzz, runs, seed, timeLimit } from "./drawn-cases.ts";
import { changesPerGroup, simulationLaws } from "./simulation-laws.ts";

let graph: Graph;

beforeAll(async () => {
  graph = connectGraph(neo4jOfTests());
  await graph.prepare();
});
afterAll(() => graph.close());

/**
 * The laws are about answers. Sixteen projects simulate at one time, beside other test files, and statements of the background
 * come last: what is answered 503 for that is requested once more.
 */
const repeated: typeof simulationLaws = {
  ...simulationLaws,
  check: async (...of) => {
    const verdicts = await simulationLaws.check(...of);
    const isBusy = verdicts.some((each) => each.kind === "failed" && each.what === "Service Unavailable");
    return isBusy ? simulationLaws.check(...of) : verdicts;
  },
};

describe("simulations", () => {
  it(
    "report exactly the pairs whose decision differs, and a change and its revert swap them",
    async () => {
      const options = {
        name: "laws of simulations",
        count: runs(500, 1),
        seed: seed(),
        perGroup: changesPerGroup,
      };
      assertReport(await fuzz(graph, repeated, options), 0.1);
    },
    timeLimit(300_000),
  );
});
