import { describe, expect, it } from "@jest/globals";
import { parse } from "../parse.ts";
import { ChangeSetEntries } from "./changes.ts";

const faults = (changes: unknown): unknown => {
  try {
    parse(ChangeSetEntries, changes, "unprocessable");
    return undefined;
  } catch (error) {
    return (error as { errors?: unknown }).errors;
  }
};

const policy = { policy: { meta: { policy_version: "2.0-kbac" } }, status: "ACTIVE" };

describe("changes of a set", () => {
  it("takes policies and queries as objects or as texts", () => {
    const changes = parse(ChangeSetEntries, [
      { op: "put", collection: "authorization-policies", name: "may-read", if_version: 0, record: policy },
      {
        op: "put",
        collection: "knowledge-queries",
        name: "loans",
        record: { policy: "may-read", query: '{"nodes": []}', status: "DRAFT" },
      },
      { op: "delete", collection: "authorization-policies", name: "old-rule" },
    ]);
    expect(changes[0]).toMatchObject({ record: { policy: JSON.stringify(policy.policy) } });
    expect(changes[1]).toMatchObject({ record: { query: '{"nodes": []}' } });
  });

  it("says every fault with its place", () => {
    expect(
      faults([
        { op: "put", collection: "authorization-policies", name: "May", record: policy },
        { op: "put", collection: "projects", name: "may-read", record: policy },
        {
          op: "put",
          collection: "knowledge-queries",
          name: "loans",
          record: { query: {}, status: "ACTIVE" },
        },
        { op: "drop", collection: "knowledge-queries", name: "loans" },
      ]),
    ).toEqual([
      "[0].name: lower-case letters, digits and hyphens; a letter first, no hyphen last",
      "[1].collection: one of authorization-policies, knowledge-queries",
      "[2].record.policy: either policy (a name) or policy_id expected",
      "[3].op: one of put, delete",
    ]);
  });

  it("refuses a record that is named twice", () => {
    const remove = { op: "delete", collection: "authorization-policies", name: "old-rule" };
    expect(faults([remove, remove])).toEqual(["[1].name: named twice in this set"]);
  });
});
