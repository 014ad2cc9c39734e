import { describe, expect, it } from "@jest/globals";
import { derivedGid, gidKind, isGid, newGid } from "./gid.ts";

describe("global identifiers", () => {
  it("have the documented form, and tell their kind", () => {
    const example = "gid:AAAAAgGQAAAAAHAAgAAAAAAAAAE";
    expect(isGid(example) && gidKind(example)).toBe("project");
    const made = newGid("knowledge_query");
    expect(made).toHaveLength(31);
    expect(gidKind(made)).toBe("knowledge_query");
  });

  it.each([
    "",
    "gid:",
    "gid:short",
    "AAAAAgGQAAAAAHAAgAAAAAAAAAE",
    `gid:${"A".repeat(25)}`,
    `gid:${"A".repeat(251)}`,
    "gid:AAAAAgGQAAAAAHAAgAAAAAAAAA=",
  ])("refuse %j", (text) => {
    expect(isGid(text)).toBe(false);
  });

  it("have no known kind when their code is another", () => {
    const foreign = `gid:${Buffer.alloc(20, 9).toString("base64url")}`;
    expect(isGid(foreign) && gidKind(foreign)).toBeUndefined();
  });

  it("are never twice the same, and sort by the time of their making", () => {
    const made = Array.from({ length: 100 }, (_, index) => newGid("project", 1_700_000_000_000 + index));
    expect(new Set(made).size).toBe(100);
    const bytes = made.map((gid) => Buffer.from(gid.slice(4), "base64url"));
    expect(bytes.toSorted((a, b) => Buffer.compare(a, b))).toEqual(bytes);
  });

  it("follow from their parts where they are derived, and from nothing else", () => {
    const gid = derivedGid("relationship", ["a", "b"]);
    expect(derivedGid("relationship", ["a", "b"])).toBe(gid);
    expect(derivedGid("relationship", ["ab", ""])).not.toBe(gid);
    expect(gidKind(gid)).toBe("relationship");
  });
});
