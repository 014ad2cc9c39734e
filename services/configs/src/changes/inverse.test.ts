import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { ChangeWithTexts } from "../history/read-changes.ts";
import { inverseChanges } from "./inverse.ts";

const deleted = (before: Record<string, unknown>): ChangeWithTexts => ({
  id: newGid("change"),
  project_id: newGid("project"),
  create_time: "2026-01-01T00:00:00.000Z",
  created_by: "somebody",
  changes: [
    {
      collection: "authorization-policies",
      id: newGid("authorization_policy"),
      name: "may-read",
      op: "delete",
      from_version: 3,
      to_version: 0,
      before,
    },
  ],
});

describe("the changes that undo a change", () => {
  it("put what was there, and clear what was not", () => {
    const [planned] = inverseChanges(deleted({ policy: "{}", status: "DRAFT" }), false);
    expect(planned?.change).toEqual({
      op: "put",
      collection: "authorization-policies",
      name: "may-read",
      if_version: 0,
      record: { policy: "{}", status: "DRAFT", tags: [], display_name: "", description: "" },
    });
  });

  it("say what is wrong with a record that the rules no longer take", () => {
    let errors: unknown;
    try {
      inverseChanges(deleted({ policy: "{}", status: "DRAFT", tags: [""], level: 3 }), true);
    } catch (error) {
      ({ errors } = error as { errors?: unknown });
    }
    expect(errors).toEqual([
      "id: this change cannot be restored under today's rules",
      expect.stringContaining("tags"),
      expect.stringContaining("level"),
    ]);
  });
});
