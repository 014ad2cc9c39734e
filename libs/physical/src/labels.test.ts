import { describe, expect, it } from "@jest/globals";
import {
  keyPrefix,
  nodeKey,
  trustScoreKey,
  labelName,
  nodeLabel,
  projectLabel,
  typeLabel,
  projectKey,
} from "./labels.ts";

const pk = projectKey("abcdefgh");
const own = projectKey("");

describe("labels", () => {
  it("carry the project, except in a database of its own", () => {
    expect([projectLabel(pk), typeLabel("Car", pk)]).toEqual(["_P__abcdefgh", "Car__abcdefgh"]);
    expect([projectLabel(own), typeLabel("Car", own)]).toEqual(["_P", "Car"]);
  });

  it.each([pk, own])("read back as the caller's names (project key '%s')", (key) => {
    for (const name of ["Car", "_Application", "A_1", "Car__abcdefgh"])
      expect(labelName(typeLabel(name, key), key)).toBe(name);
    expect(labelName(nodeLabel, key)).toBeUndefined();
    expect(labelName(projectLabel(key), key)).toBeUndefined();
  });

  it("of another project have no name", () => {
    expect(labelName("Car__zzzzzzzz", pk)).toBeUndefined();
    expect(labelName("Car", pk)).toBeUndefined();
  });
});

describe("keys", () => {
  it("hold project, type and external id", () => {
    expect(nodeKey(pk, "Car", "a/b")).toBe("abcdefgh/Car/a/b");
    expect(nodeKey(pk, "Car", "x").startsWith(keyPrefix(pk, "Car"))).toBe(true);
    expect(nodeKey(own, "Car", "x")).toBe("/Car/x");
    expect(trustScoreKey(pk, "gid:1")).toBe("abcdefgh/_TrustScore/gid:1");
  });

  it("differ when project, type or external id differ", () => {
    const keys = [
      nodeKey(pk, "Car", "x"),
      nodeKey(pk, "Ca", "r/x"),
      nodeKey(own, "Car", "x"),
      nodeKey(pk, "Car", "X"),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
