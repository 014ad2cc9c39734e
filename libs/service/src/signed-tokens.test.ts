import { describe, expect, it } from "@jest/globals";
import { signedTokens } from "./signed-tokens.ts";

const key = Buffer.alloc(32, 1);
const tokens = signedTokens(key, "pages");
const content = { after: "ä/1", limit: 3 };

describe("tokens that we sign", () => {
  it("are read as they were issued, for the scope that they are bound to", () => {
    const token = tokens.issue(content, ["p1", { type: "Car" }]);
    expect(token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{22}$/);
    expect(tokens.read(token, ["p1", { type: "Car" }])).toEqual(content);
    expect(tokens.read(token, ["p2", { type: "Car" }])).toBeUndefined();
  });

  it("of another key or purpose are none", () => {
    expect(signedTokens(Buffer.alloc(32, 2), "pages").read(tokens.issue(content, 1), 1)).toBeUndefined();
    expect(signedTokens(key, "states").read(tokens.issue(content, 1), 1)).toBeUndefined();
  });

  it("changed in any place are none", () => {
    const token = tokens.issue(content, 1);
    for (let at = 0; at < token.length - 1; at++) {
      const other = token[at] === "A" ? "B" : "A";
      expect(tokens.read(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, 1)).toBeUndefined();
    }
    for (const text of ["", ".", "a.b", `${token}.`, `${token}.x`, token.split(".")[0] ?? ""])
      expect(tokens.read(text, 1)).toBeUndefined();
  });
});
