import { describe, expect, it } from "@jest/globals";
import { markdownTable } from "./table.ts";

describe("markdownTable", () => {
  it("aligns as the formatter does", () => {
    const columns = [
      { title: "way", align: "left" },
      { title: "p50 ms", align: "right" },
    ] as const;
    expect(
      markdownTable(columns, [
        ["gateway", "0.91"],
        ["driver", "0.250"],
      ]),
    ).toEqual([
      "| way     | p50 ms |",
      "| ------- | -----: |",
      "| gateway |   0.91 |",
      "| driver  |  0.250 |",
    ]);
  });

  it("keeps room for a rule under a narrow column", () => {
    expect(markdownTable([{ title: "c", align: "right" }], [["1"]])).toEqual([
      "|   c |",
      "| --: |",
      "|   1 |",
    ]);
  });
});
