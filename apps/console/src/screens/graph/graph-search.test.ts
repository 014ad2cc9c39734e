import { describe, expect, it } from "@jest/globals";
import { nodeSearch, nodesSearch } from "./graph-search.ts";

describe("an address of the graph", () => {
  it("keeps what it knows, as texts", () => {
    expect(nodesSearch({ type: "Person", prefix: 12, token: "secret", id: "x" })).toEqual({
      type: "Person",
      prefix: "12",
    });
    expect(
      nodeSearch({
        type: "Person",
        id: true,
        direction: "out",
        types: "A,B",
        view: "table",
        token: "secret",
      }),
    ).toEqual({ type: "Person", id: "true", direction: "out", types: "A,B", view: "table" });
  });

  it("forgets what is none", () => {
    expect(nodeSearch({ type: ["Person"], id: { a: 1 }, direction: "up", view: "list", types: "" })).toEqual(
      {},
    );
  });
});
