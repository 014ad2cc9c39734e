import { describe, expect, it } from "@jest/globals";
import { placeholdersOf, sourceOf } from "./placeholders.ts";

describe("the values of a resolver's calls", () => {
  it("are named once, wherever they stand, with what is used without them", () => {
    expect(
      placeholdersOf({
        url: "https://x/{$_externalId}?currency={$currency || EUR}&empty={$empty || }",
        headers: { "X-Tenant": ["{$tenant}", "{$currency}"] },
        request_payload: '{"at": "$node.property.place", "text": "for {$tenant}"}',
      }),
    ).toEqual([
      { name: "_externalId", fallback: undefined },
      { name: "currency", fallback: "EUR" },
      { name: "empty", fallback: "" },
      { name: "tenant", fallback: undefined },
      { name: "node.property.place", fallback: undefined },
    ]);
    expect(placeholdersOf({ url: "https://x" })).toEqual([]);
  });

  it.each([
    ["node.property.x", "the node that holds the reference"],
    ["_externalId", "the node that holds the reference"],
    ["_appId", "the application that calls"],
    ["_externalIds", "the parameters of the query"],
  ])("%s comes from %s", (name, expected) => {
    expect(sourceOf(name)).toBe(expected);
  });
});
