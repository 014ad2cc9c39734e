import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { consistencyTokens } from "./consistency.ts";

describe("consistency tokens", () => {
  const tokens = consistencyTokens(Buffer.alloc(32, 1));
  const project = newGid("project");
  const token = tokens.issue(project, { "": ["FB:a", "FB:b"], db2: ["FB:c"] });

  it("show nothing of the states, whose numbers count the writes of every project", () => {
    for (const part of token.split("."))
      expect(Buffer.from(part, "base64url").toString("latin1")).not.toContain("FB:");
  });

  it("come back as they were made", () => {
    expect(tokens.read(project, token)).toEqual({ "": ["FB:a", "FB:b"], db2: ["FB:c"] });
    expect(tokens.read(project, undefined)).toBeUndefined();
    const rotated = consistencyTokens(Buffer.alloc(32, 2), [Buffer.alloc(32, 1)]);
    expect(rotated.read(project, token)).toEqual({ "": ["FB:a", "FB:b"], db2: ["FB:c"] });
  });

  it.each([
    ["of another project", () => tokens.read(newGid("project"), token)],
    ["of another suite", () => consistencyTokens(Buffer.alloc(32, 2)).read(project, token)],
    ["that is empty", () => tokens.read(project, "")],
    ["that is cut short", () => tokens.read(project, token.slice(0, -4))],
    ["with something behind it", () => tokens.read(project, `${token}.x`)],
    ["that was changed", () => tokens.read(project, `x${token}`)],
  ])("are 400 for a token %s", (_name, read) => {
    expect(read).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
