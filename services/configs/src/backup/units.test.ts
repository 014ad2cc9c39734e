import { describe, expect, it } from "@jest/globals";
import { graphRemovalLabel } from "@ikg/physical";
import type { RawDatabase } from "./source.ts";
import { platformUnits } from "./units.ts";

/** A database with these labels, of which none is outside of graphs. */
const withLabels = (labels: readonly string[]): RawDatabase =>
  ({
    read: async (text: string) => (text.includes("db.labels()") ? labels.map((label) => ({ label })) : []),
  }) as unknown as RawDatabase; // all that is used

const matches = (unit: { readonly nodes: readonly { readonly match: string }[] }): string =>
  unit.nodes.map(({ match }) => match).join(" ");

describe("what a backup copies besides projects", () => {
  it("includes removals that have not ended: a restored deployment goes on with them", async () => {
    const { work } = await platformUnits(withLabels([graphRemovalLabel, "_Import"]));
    expect(matches(work)).toContain(graphRemovalLabel);
  });

  it("includes labels of the platform that are not listed here, and none of a graph", async () => {
    const labels = ["_Later", "_Node", "_P__abcdefgh", "Car__abcdefgh"];
    const { platform, work } = await platformUnits(withLabels(labels));
    expect(matches(platform)).toContain("_Later");
    expect(matches(platform) + matches(work)).not.toMatch(/_Node|abcdefgh/);
  });
});
