import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { recordLabel } from "@ikg/physical";
import { storedProfiles } from "../src/profiles/profile.ts";
import { openTestBed, type TestBed, type TestProject } from "./scorer-under-test.ts";

let bed: TestBed;
let ordinary: TestProject;
let ofTests: TestProject;

beforeAll(async () => {
  bed = await openTestBed();
  ordinary = await bed.project(undefined, true);
  ofTests = await bed.project(undefined, true);
  await bed.graph.shared.write(
    (tx) => tx.run(`MATCH (r:${recordLabel} {id: $id}) SET r.purpose = 'TEST'`, { id: ofTests.id }),
    { timeoutMs: 60_000 },
  );
});
afterAll(() => bed.close());

describe("projects of policy tests", () => {
  it("have no profiles in the eyes of the scorer", async () => {
    const profiles = storedProfiles(bed.graph.shared);
    const [one, other] = [await ordinary.profile(), await ofTests.profile()];
    const all = new Set((await profiles.all()).map(({ id }) => id));
    expect([all.has(one), all.has(other)]).toEqual([true, false]);
    expect((await profiles.find(one))?.projectId).toBe(ordinary.id);
    expect(await profiles.find(other)).toBeUndefined();
  });

  it("are never scored", async () => {
    for (const project of [ordinary, ofTests]) await project.nodes("Person", { a: { email: "a@x" } });
    const profile = await ordinary.profile();
    const running = await bed.start();
    await ordinary.scored(profile);
    expect([await ordinary.countScores(), await ofTests.countScores()]).toEqual([1, 0]);
    await running.close();
  });
});
