import { describe, expect, it } from "@jest/globals";
import { inversePolicies } from "./inverse-changes.ts";

const shared = { id: "gid:r", op: "put", from_version: 0, to_version: 1 } as const;

describe("what a revert does to policies", () => {
  it("puts back what was before, and deletes what was not there", () => {
    const before = { policy: "{}", status: "ACTIVE" };
    expect(
      inversePolicies({
        changes: [
          { ...shared, collection: "authorization-policies", name: "changed", before },
          { ...shared, collection: "authorization-policies", name: "made" },
          { ...shared, collection: "knowledge-queries", name: "query", before },
        ],
      }),
    ).toEqual([
      { op: "put", collection: "authorization-policies", name: "changed", record: before },
      { op: "delete", collection: "authorization-policies", name: "made" },
    ]);
  });

  it("is nothing where it is about queries alone", () => {
    expect(
      inversePolicies({ changes: [{ ...shared, collection: "knowledge-queries", name: "query" }] }),
    ).toBeUndefined();
  });
});
