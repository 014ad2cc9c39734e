import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { assertReport, fuzz, runs, seed, timeLimit } from "./drawn-cases.ts";
import { changesPerGroup, simulationLaws } from "./simulation-laws.ts";

let graph: Graph;

beforeAll(async () => {
  graph = connectGraph({
    uri: requireVariable("NEO4J_URI"),
    username: requireVariable("NEO4J_USERNAME"),
    password: requireVariable("NEO4J_PASSWORD"),
  });
  await graph.prepare();
});
afterAll(() => graph.close());

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
      assertReport(await fuzz(graph, simulationLaws, options), 0.1);
    },
    timeLimit(300_000),
  );
});
