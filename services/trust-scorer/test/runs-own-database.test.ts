import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { finalScore, people } from "./people.ts";
import { openTestBed, type TestBed } from "./scorer-under-test.ts";
import type { TestProject } from "./test-project.ts";

let bed: TestBed;
let project: TestProject;

beforeAll(async () => {
  bed = await openTestBed();
  project = await bed.project({
    url: requireVariable("SECOND_NEO4J_URI"),
    username: requireVariable("SECOND_NEO4J_USERNAME"),
    password: requireVariable("SECOND_NEO4J_PASSWORD"),
  });
});
afterAll(async () => {
  await project.run("MATCH (n:_P|_TrustScore) DETACH DELETE n");
  await project.run("MATCH (g:_TrustRange) DELETE g");
  await bed.close();
});

describe("a project with a database of its own", () => {
  it("has its scores there, under plain labels, and none of the shared one", async () => {
    const nodes = people(250);
    await project.nodes("Person", nodes);
    const profile = await project.profile();
    await bed.start({ batchSize: 100 });
    const state = await project.scored(profile);
    const scores = await project.scores("Person");
    expect(Object.keys(scores).length).toBe(250);
    for (const [id, fields] of Object.entries(nodes))
      expect(scores[id]?.["_final_score"]).toBe(finalScore(fields, state["last_run_start_time"]));
    const labels = await project.run(
      "MATCH (t:_TrustScore) RETURN DISTINCT labels(t) AS labels, count(*) AS n",
    );
    expect(labels).toEqual([{ labels: expect.arrayContaining(["_Node", "_TrustScore"]), n: 250 }]);
    const here = await bed.graph.shared.read(
      "MATCH (t:_Node {run_id: $run}) RETURN count(t) AS n",
      { run: state["last_run_id"] },
      { timeoutMs: 60_000 },
    );
    expect(here).toEqual([{ n: 0 }]);
    await project.removeProfile(profile);
    await project.waitForScores((count) => count === 0);
  });
});
