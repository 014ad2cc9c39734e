import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { openProject, openTestGraph, type Seed, type TestProject } from "./ciq-under-test.ts";

// One key for all tests, so that the database plans each statement once.
export const pk = newProjectKey(randomBytes(8));

export let graph: Graph;

export let here: TestProject;

/** Drops the project, and creates it again. */
export const recreateProject = async (seed: Seed): Promise<void> => {
  await here.drop();
  here = await openProject(graph, seed, pk);
};

/** Gives each test of a file a project with this graph. */
export const useSeededProject = (seed: Seed): void => {
  beforeAll(async () => {
    graph = openTestGraph();
    await graph.prepare();
  });
  beforeEach(async () => {
    here = await openProject(graph, seed, pk);
  });
  afterEach(() => here.drop());
  afterAll(() => graph.close());
};
