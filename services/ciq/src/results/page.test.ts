import { describe, expect, it } from "@jest/globals";
import { ExternalReference } from "@ikg/query-rows";
import { openPage, pageOfRows } from "./page.ts";

const rowOf = (text: string) => ({ row: { nodes: { "a.property.x": text } }, external: [] });
/** Bytes of a row with a text of this length, with the comma behind it. */
const sizeOf = (length: number): number => JSON.stringify(rowOf("x".repeat(length)).row).length + 1;

describe("a page", () => {
  it("holds rows up to its bytes exactly and says where to go on", () => {
    const rows = Array.from({ length: 5 }, () => rowOf("x".repeat(100)));
    const three = pageOfRows(rows, { bytes: 3 * sizeOf(100), skip: 20 });
    expect([three.count, three.next, three.bytes]).toEqual([3, 23, 3 * sizeOf(100)]);
    expect(pageOfRows(rows, { bytes: 3 * sizeOf(100) - 1, skip: 20 })).toMatchObject({ count: 2, next: 22 });
    expect(pageOfRows(rows, { bytes: 5 * sizeOf(100), skip: 0 })).toMatchObject({
      count: 5,
      next: undefined,
    });
  });

  it("counts bytes, not characters", () => {
    const rows = [rowOf("𝄞".repeat(50)), rowOf("\u0000".repeat(50))];
    const bytes = rows.reduce((sum, { row }) => sum + Buffer.byteLength(JSON.stringify(row)) + 1, 0);
    expect(pageOfRows(rows, { bytes, skip: 0 }).count).toBe(2);
    expect(pageOfRows(rows, { bytes: bytes - 1, skip: 0 }).count).toBe(1);
  });

  it("is refused when its first row does not fit", () => {
    const builder = openPage({ bytes: 200, skip: 7 });
    expect(() => builder.add(rowOf("x".repeat(200)))).toThrow(
      expect.objectContaining({
        code: "unprocessable",
        errors: ["page_token: row 7 alone is larger than a page may be (limit page_bytes, 200)"],
      }),
    );
    expect(() => openPage({ bytes: 200, skip: 7 }).cut()).toThrow("Unprocessable Entity");
  });

  it("is refused when it is one of a count and would end early", () => {
    const rows = Array.from({ length: 5 }, () => rowOf("x".repeat(100)));
    const whole = { bytes: 3 * sizeOf(100), skip: 20, wholeOf: 5 };
    expect(() => pageOfRows(rows, whole)).toThrow(
      expect.objectContaining({
        code: "unprocessable",
        errors: [
          `page_size: 5 rows from here on are larger than a page may be (limit page_bytes, ${whole.bytes}); 3 fit. ` +
            "Pages selected by number cannot be shortened; restart with a smaller page_size",
        ],
      }),
    );
    expect(pageOfRows(rows.slice(0, 3), whole)).toMatchObject({ count: 3, next: undefined });
  });

  it("is the same whether its rows are printed at once or one by one", () => {
    const rows = ["a", "ü\n", "c"].map(rowOf);
    const limits = { bytes: 1_000, skip: 0 };
    const [atOnce, oneByOne] = [pageOfRows(rows, limits, 10), pageOfRows(rows, limits)];
    expect(atOnce.pieces).toHaveLength(1);
    expect(oneByOne.pieces).toHaveLength(3);
    expect(atOnce.pieces.join(",")).toBe(oneByOne.pieces.join(","));
    expect(pageOfRows([], limits, 10)).toMatchObject({ count: 0, pieces: [] });
  });

  it("keeps the rows whose values have to be asked for", () => {
    const reference = new ExternalReference({ resolver: "r", external_id: "1", type: "T" }, "x");
    const asking = {
      row: { nodes: { "a.property.x": null } },
      external: [["a.property.x", reference]] as const,
    };
    const page = pageOfRows([rowOf("a"), asking], { bytes: 1_000, skip: 0 }, 10);
    expect(page.pieces).toHaveLength(2);
    expect(page.external).toEqual([[1, asking]]);
  });
});
