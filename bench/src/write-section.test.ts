import { describe, expect, it } from "@jest/globals";
import { pageWith, sectionsOf } from "./write-section.ts";

describe("a section of the page", () => {
  const page = pageWith("", "Decisions", ["one", "", "```cypher", "RETURN 1", "```"]);

  it("is added below the head", () => {
    expect(page).toMatch(/^# Benchmarks\n\n[^#]*## Decisions\n\none\n\n```cypher\nRETURN 1\n```\n$/);
  });

  it("is replaced, and the others stay in their order", () => {
    const both = pageWith(pageWith(page, "Policy language", ["two"]), "Decisions", ["three"]);
    expect([...sectionsOf(both)]).toEqual([
      ["Decisions", "## Decisions\n\nthree"],
      ["Policy language", "## Policy language\n\ntwo"],
    ]);
  });
});
