import { describe, expect, it } from "@jest/globals";
import { sealedTokens } from "./sealed-tokens.ts";

const key = Buffer.alloc(32, 1);
const tokens = sealedTokens(key, "pages");
const content = { after: "ä/1", limit: 3 };

describe("sealed tokens", () => {
  it("are read as they were issued, for the scope that they are bound to", () => {
    const token = tokens.issue(content, ["p1", { type: "Car" }]);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(tokens.read(token, ["p1", { type: "Car" }])).toEqual(content);
    expect(tokens.read(token, ["p2", { type: "Car" }])).toBeUndefined();
  });

  it("show nothing of their content", () => {
    const secret = "FB:kcwQ-bookmark";
    const token = tokens.issue({ states: [secret] }, "p1");
    for (const part of [token, ...token.split(/[._-]/)])
      expect(Buffer.from(part, "base64url").toString("latin1")).not.toContain("bookmark");
  });

  it("are the same for the same content and scope, and another for any other", () => {
    expect(tokens.issue(content, 1)).toBe(tokens.issue(content, 1));
    expect(tokens.issue(content, 1)).not.toBe(tokens.issue(content, 2));
    expect(tokens.issue(content, 1).slice(0, 16)).not.toBe(
      tokens.issue({ ...content, limit: 4 }, 1).slice(0, 16),
    );
  });

  it("of another key or purpose are none", () => {
    expect(sealedTokens(Buffer.alloc(32, 2), "pages").read(tokens.issue(content, 1), 1)).toBeUndefined();
    expect(sealedTokens(key, "states").read(tokens.issue(content, 1), 1)).toBeUndefined();
  });

  it("of a former key are read, and none is issued by it", () => {
    const next = Buffer.alloc(32, 2);
    const rotated = sealedTokens(next, "pages", [Buffer.alloc(32, 3), key]);
    expect(rotated.read(tokens.issue(content, 1), 1)).toEqual(content);
    expect(rotated.read(tokens.issue(content, 1), 2)).toBeUndefined();
    expect(rotated.issue(content, 1)).toBe(sealedTokens(next, "pages").issue(content, 1));
    expect(tokens.read(rotated.issue(content, 1), 1)).toBeUndefined();
  });

  it("changed in any place are none", () => {
    const token = tokens.issue(content, 1);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "A" ? "B" : "A";
      expect(tokens.read(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, 1)).toBeUndefined();
    }
    for (const text of ["", ".", "a.b", `${token}.`, `${token}.x`, `${token}=`, token.slice(0, 20)])
      expect(tokens.read(text, 1)).toBeUndefined();
  });
});
