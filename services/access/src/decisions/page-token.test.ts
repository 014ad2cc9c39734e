import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { sealedTokens } from "@ikg/service";
import { pageTokens } from "./page-token.ts";

const tokens = pageTokens(Buffer.alloc(32, 1));
const scope = ["project", { type: "Nurse", id: "n1" }];
const position = { after: "c7", limit: 20, sliced: false, empty: true };

describe("page tokens", () => {
  it("give back where the search stood", () => {
    const token = tokens.issue(position, scope);
    expect(tokens.read(token, scope)).toEqual(position);
    expect(pageTokens(Buffer.alloc(32, 2), [Buffer.alloc(32, 1)]).read(token, scope)).toEqual(position);
  });

  it("are read as those of a search with results where an earlier build issued them", () => {
    const token = sealedTokens(Buffer.alloc(32, 1), "access page tokens").issue(
      { v: 2, after: "c7", limit: 20, sliced: true },
      scope,
    );
    expect(tokens.read(token, scope)).toEqual({ after: "c7", limit: 20, sliced: true, empty: false });
  });

  it.each([
    ["another search", () => tokens.issue(position, ["project", { type: "Nurse", id: "n2" }])],
    ["another key", () => pageTokens(Buffer.alloc(32, 2)).issue(position, scope)],
    ["a changed content", () => `x${tokens.issue(position, scope)}`],
    ["a shortened token", () => tokens.issue(position, scope).slice(0, -4)],
    ["an extra part", () => `${tokens.issue(position, scope)}.x`],
    ["no token at all", () => "e30.e30"],
    ["nothing", () => ""],
  ])("refuse %s", (_, token) => {
    expect(() => tokens.read(token(), scope)).toThrow(Problem);
  });

  it("show neither their scope nor the candidate at which the search stands, which may be hidden", () => {
    const content = Buffer.from(tokens.issue(position, scope), "base64url").toString("latin1");
    for (const text of ["Nurse", "c7", "after"]) expect(content).not.toContain(text);
  });
});
