import { expect, it } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import { newGid, SimulationRequest } from "@ikg/contracts";
import { progressTokens } from "./progress-tokens.ts";
import { newState } from "./question-state.ts";

const project = newGid("project");
const tokens = progressTokens(Buffer.alloc(32));
const requestWith = (next?: string) =>
  SimulationRequest.parse({
    project_id: project,
    changes: [{ op: "delete", collection: "authorization-policies", name: "some-policy" }],
    ...(next !== undefined && { next }),
  });

/** A question that a policy decides which was not in force before. */
const questionWith = (...tags: readonly string[]) => ({
  subjectType: "Person",
  action: "READ",
  resourceType: "Document",
  before: [],
  after: [{ id: "", name: "rule", version: 1, tags } as unknown as StoredKbacPolicy], // no other member is read
});

it("the progress of a simulation is not that of one whose policy keeps other tags", () => {
  const progress = { states: [newState()], queries: [] };
  const next = tokens.issue(progress, requestWith(), [questionWith("night")]);
  expect(tokens.read(requestWith(next), [questionWith("night")])).toEqual(progress);
  for (const tags of [[], ["day"]])
    expect(() => tokens.read(requestWith(next), [questionWith(...tags)])).toThrow(
      expect.objectContaining({ errors: ["next: not a token of this simulation"] }),
    );
});
