import { describe, expect, it } from "@jest/globals";
import { openTable } from "./open-table.ts";
import type { TableFile } from "./table.ts";

const fileOf = (pieces: Iterable<string>): TableFile => ({
  name: "a.ndjson",
  format: "ndjson",
  bytes: async function* bytes() {
    for (const piece of pieces) yield new TextEncoder().encode(piece);
  },
});

const rowsOf = async (file: TableFile): Promise<readonly unknown[]> => {
  const table = await openTable(file, {});
  const rows: unknown[] = [];
  for await (const batch of table.batches())
    rows.push(...batch.map(({ number, line, cells }) => [number, line, cells]));
  return rows;
};

describe("the lines of an NDJSON file", () => {
  it("are rows, wherever the pieces end", async () => {
    const pieces = ['{"a":', "1}", '\n{"a":2}\n\n{', '"a":3}'];
    const rows = [
      [1, 1, { a: 1 }],
      [2, 2, { a: 2 }],
      [3, 4, { a: 3 }],
    ];
    expect(await rowsOf(fileOf(pieces))).toEqual(rows);
    expect(await rowsOf(fileOf([`${pieces.join("")}\n`]))).toEqual(rows);
    expect(await rowsOf(fileOf(pieces.join("")))).toEqual(rows);
  });

  it("are of limited length: a file without line breaks is not read into memory", async () => {
    const endless = function* (): Generator<string> {
      yield '{"a":1}\n';
      for (;;) yield "x".repeat(1024 * 1024);
    };
    await expect(rowsOf(fileOf(endless()))).rejects.toThrow(
      "a.ndjson:2: longer than 16777216 characters; one JSON object per line expected",
    );
  });
});
