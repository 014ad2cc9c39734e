import { expect, it } from "@jest/globals";
import type { JobOwner } from "./queue-snapshot.ts";
import { planChanges } from "./turn-order.ts";

/** Jobs by ids whose first letter is the organization; in upper case, it is spare work. */
const jobs = (...ids: readonly string[]): readonly JobOwner[] =>
  ids.map((id) => ({ id, organization: id.slice(0, 1).toLowerCase(), takesTurns: /^[a-z]/.test(id) }));

const none = { promotions: [], demotions: [], spares: [] };

it("nothing changes where no job waits", () => {
  expect(planChanges({ active: jobs("a0", "b0"), next: [], behind: [] })).toEqual(none);
});

it("each organization without an active job has one job in the wait list", () => {
  const snapshot = { active: jobs("a0"), next: jobs("b0", "b1"), behind: jobs("a1", "c0", "c1", "d0") };
  expect(planChanges(snapshot)).toEqual({ ...none, promotions: ["c0", "d0"], demotions: ["b1"] });
});

it("the first job of an organization with the fewest active ones is promoted where all have some", () => {
  const active = jobs("a0", "a1", "b0", "c0");
  const behind = jobs("a2", "b1", "c1");
  expect(planChanges({ active, next: [], behind })).toEqual({ ...none, promotions: ["b1"] });
  expect(planChanges({ active, next: jobs("c1"), behind: jobs("a2", "b1") })).toEqual(none);
});

it("a job that is taken first anyway is not promoted while its organization has an active one", () => {
  expect(planChanges({ active: jobs("a0", "b0"), next: [], behind: jobs("b1", "a1") })).toEqual(none);
});

it("the job of an organization with more active ones leaves the wait list", () => {
  const snapshot = { active: jobs("a0", "a1", "b0"), next: jobs("a2"), behind: jobs("a3", "b1") };
  expect(planChanges(snapshot)).toEqual({ ...none, promotions: ["b1"], demotions: ["a2"] });
});

it("spare work is moved out of both lists, and counts where it is active", () => {
  const snapshot = { active: jobs("B0", "c0"), next: jobs("D0"), behind: jobs("B1", "b1", "c1", "e0") };
  expect(planChanges(snapshot)).toEqual({ promotions: ["e0"], demotions: [], spares: ["D0", "B1"] });
});
