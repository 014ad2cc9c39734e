import { describe, expect, it } from "@jest/globals";
import { type Gid, Problem } from "@ikg/contracts";
import { NodesCursor, openCursors } from "./cursors.ts";

const [mine, theirs] = ["gid:mine" as Gid, "gid:theirs" as Gid];
const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const cursors = openCursors({ key, former: [] }, "tests", NodesCursor);
const content = { range: 1, after: "/Person/ann" };

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.errors.join()}`;
    throw error;
  }
  return undefined;
};

describe("cursors", () => {
  const cursor = cursors.issue(mine, ["Person", "a"], content);
  const refused = "invalid_request: cursor: not a cursor returned by this endpoint";

  it("continue the list that they were issued for, and say nothing", () => {
    expect(cursors.read(mine, ["Person", "a"], cursor)).toEqual(content);
    expect(Buffer.from(cursor, "base64url").toString("latin1")).not.toContain("ann");
    expect(cursors.read(mine, [], undefined)).toBeUndefined();
    expect(cursors.read(mine, [], "")).toBeUndefined();
  });

  it("continue no other list, and cannot be made or changed", () => {
    const middle = cursor.length >> 1;
    const changed = `${cursor.slice(0, middle)}${cursor[middle] === "A" ? "B" : "A"}${cursor.slice(middle + 1)}`;
    expect(codeOf(() => cursors.read(theirs, ["Person", "a"], cursor))).toBe(refused);
    expect(codeOf(() => cursors.read(mine, ["Person", "b"], cursor))).toBe(refused);
    expect(codeOf(() => cursors.read(mine, ["Person", "a"], changed))).toBe(refused);
    expect(codeOf(() => cursors.read(mine, ["Person", "a"], "x"))).toBe(refused);
    const elsewhere = openCursors({ key, former: [] }, "other tests", NodesCursor);
    expect(codeOf(() => elsewhere.read(mine, ["Person", "a"], cursor))).toBe(refused);
  });

  it("outlive a rotation of the key", () => {
    const rotated = openCursors({ key: other, former: [key] }, "tests", NodesCursor);
    expect(rotated.read(mine, ["Person", "a"], cursor)).toEqual(content);
    const renewed = openCursors({ key: other, former: [] }, "tests", NodesCursor);
    expect(codeOf(() => renewed.read(mine, ["Person", "a"], cursor))).toBe(refused);
  });
});
