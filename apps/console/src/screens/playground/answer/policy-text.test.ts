import { describe, expect, it } from "@jest/globals";
import { shownPolicy } from "./policy-text.ts";

describe("the text of a policy", () => {
  it("is read as far as it is shown", () => {
    const condition = { cypher: "MATCH (subject)", filter: { attribute: "x" } };
    const policy = { subject: { type: "Person" }, actions: ["READ"], resource: { type: "Book" }, condition };
    expect(shownPolicy(JSON.stringify(policy))).toEqual({
      subject: "Person",
      actions: ["READ"],
      resource: "Book",
      cypher: "MATCH (subject)",
      others: [["filter", { attribute: "x" }]],
    });
  });

  it.each(["{", "[]", "3", '"text"'])("%s is none", (text) => {
    expect(shownPolicy(text)).toBeUndefined();
  });
});
