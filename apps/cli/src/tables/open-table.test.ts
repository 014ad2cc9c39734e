import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type OpenOptions, openTable, type Row } from "@ikg/imports";
import { localFile } from "./local-file.ts";
import { formatOf, openSourceFiles } from "./source-files.ts";

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), "ikg-tables-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

interface Read {
  readonly columns: readonly string[] | undefined;
  readonly rows: readonly Row[];
}

const readFile = async (name: string, options: OpenOptions = {}): Promise<Read> => {
  const { files } = await openSourceFiles([name], undefined, { cwd, input: async function* none() {} });
  const [file] = files;
  if (file === undefined) throw new Error("there is a file");
  const table = await openTable(file, options);
  const rows: Row[] = [];
  for await (const batch of table.batches()) rows.push(...batch);
  return { columns: table.columns, rows };
};

const read = (name: string, content: string | Uint8Array, options?: OpenOptions): Promise<Read> => {
  writeFileSync(join(cwd, name), content);
  return readFile(name, options);
};

const cellsOf = ({ rows }: Read): readonly unknown[] => rows.map(({ cells }) => cells);

describe("CSV", () => {
  const text = '\ufeffid,name\r\n1,"a, ""b""\nc"\r\n\r\n2,x,y\r\n3,z';

  it("has the columns of its first line, and quoted cells with all in them", async () => {
    const table = await read("a.csv", text);
    expect(table.columns).toEqual(["id", "name"]);
    expect(table.rows).toEqual([
      { number: 1, cells: ["1", 'a, "b"\nc'] },
      { number: 2, cells: ["2", "x", "y"], fault: "3 cells; 2 expected, one per column" },
      { number: 3, cells: ["3", "z"] },
    ]);
  });

  it("says on which line a row begins, and its text, when that is wanted", async () => {
    const { rows } = await read("a.csv", text, { hasDetails: true });
    expect(rows.map(({ line, text: own }) => [line, own])).toEqual([
      [2, '1,"a, ""b""\nc"'],
      [5, "2,x,y"],
      [6, "3,z"],
    ]);
  });

  it("may be compressed, whatever it is called, and have another delimiter and no quotes", async () => {
    const zipped = gzipSync('id;name\n1;"x\n');
    for (const name of ["a.csv.gz", "a.csv"]) {
      const table = await read(name, zipped, { delimiter: ";", quote: false });
      expect(cellsOf(table)).toEqual([["1", '"x']]);
    }
  });

  it("may have its columns from elsewhere, and tabs", async () => {
    const table = await read("a.tsv", "1\tx\n2\ty\n", { columns: ["id", "name"] });
    expect([table.columns, cellsOf(table)]).toEqual([
      ["id", "name"],
      [
        ["1", "x"],
        ["2", "y"],
      ],
    ]);
  });

  it("is of the encoding that is said, and never loses letters without a word", async () => {
    const latin = Buffer.from("id\né\n", "latin1");
    await expect(read("a.csv", latin)).rejects.toThrow('a.csv is not valid utf-8; set "encoding:"');
    expect(cellsOf(await read("a.csv", latin, { encoding: "iso-8859-1" }))).toEqual([["é"]]);
    expect(
      cellsOf(await read("a.csv", Buffer.from("\ufeffid\né\n", "utf16le"), { encoding: "utf-16le" })),
    ).toEqual([["é"]]);
  });

  it("that breaks off ends with its line", async () => {
    await expect(read("a.csv", 'id,name\n1,"a\n2,b\n')).rejects.toThrow(
      /^a\.csv: Quote Not Closed.* line 3$/,
    );
    await expect(read("a.csv", 'id,name\n1,a"b\n')).rejects.toThrow(
      /^a\.csv: Invalid Opening Quote.* line 2/,
    );
    await expect(read("a.csv", "")).rejects.toThrow("a.csv is empty");
    await expect(read("a.csv", "id,id\n")).rejects.toThrow('duplicate column name "id"');
    await expect(read("a.csv.gz", gzipSync("id\n1\n".repeat(9_999)).subarray(0, 60))).rejects.toThrow(
      "cannot be read",
    );
  });

  it("of many rows comes in parts", async () => {
    writeFileSync(join(cwd, "a.csv"), `id\n${Array.from({ length: 50_000 }, (_, at) => at).join("\n")}\n`);
    const table = await openTable(
      localFile({ name: "a.csv", path: join(cwd, "a.csv"), origin: join(cwd, "a.csv"), format: "csv" }),
      {},
    );
    let [next, largest] = [0, 0];
    for await (const batch of table.batches()) {
      const before = next;
      const expected = batch.map((_, at) => [before + at + 1, [String(before + at)]]);
      expect(batch.map(({ number, cells }) => [number, cells])).toEqual(expected);
      next += batch.length;
      largest = Math.max(largest, batch.length);
    }
    expect([next, largest < 20_000]).toEqual([50_000, true]);
  });
});

describe("NDJSON", () => {
  it("has objects, and rows that are none", async () => {
    const { rows } = await read("a.ndjson", '{"id":1}\n\n[1]\nno\n{"id":2}');
    expect(rows.map(({ number, line, cells, fault }) => [number, line, cells, fault])).toEqual([
      [1, 1, { id: 1 }, undefined],
      [2, 3, {}, "an object expected"],
      [3, 4, {}, "JSON expected"],
      [4, 5, { id: 2 }, undefined],
    ]);
  });

  it("stays as it is for imports", async () => {
    const { rows } = await read("a.jsonl", "no\n", { isText: true });
    expect(rows).toEqual([{ number: 1, line: 1, text: "no", cells: {} }]);
  });
});

describe("Parquet", () => {
  const bytes = (codec: "SNAPPY" | "UNCOMPRESSED" = "SNAPPY"): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "id", data: ["a", "b", "c"], type: "STRING" },
          { name: "age", data: [1n, 2n, 3n], type: "INT64" },
          {
            name: "born",
            data: [new Date(0), new Date(86_400_000), undefined],
            type: "TIMESTAMP",
            nullable: true,
          },
        ],
        codec,
        rowGroupSize: 2,
      }),
    );
  const expected = [
    [1, { id: "a", age: 1n, born: new Date(0) }],
    [2, { id: "b", age: 2n, born: new Date(86_400_000) }],
    [3, { id: "c", age: 3n, born: null }],
  ];

  it("has rows of several groups with their types, compressed in either way", async () => {
    for (const [name, content] of [
      ["a.parquet", bytes()],
      ["b.parquet", bytes("UNCOMPRESSED")],
      ["a.parquet.gz", gzipSync(bytes())],
    ] as const) {
      const { columns, rows } = await read(name, content);
      expect(columns).toEqual(["id", "age", "born"]);
      expect(rows.map(({ number, cells }) => [number, Object.assign({ born: null }, cells)])).toEqual(
        expected.map(([number, cells]) => [number, cells]),
      );
    }
  });

  it("is refused where it is none", async () => {
    await expect(read("a.parquet", "id\n1\n")).rejects.toThrow(/^a\.parquet: /);
  });
});

describe("the form of a file", () => {
  it("is said by its name", () => {
    expect(["a.csv", "A.TSV", "x/a.jsonl.gz", "a.b.parquet"].map(formatOf)).toEqual([
      "csv",
      "tsv",
      "ndjson",
      "parquet",
    ]);
    expect(() => formatOf("a.xlsx")).toThrow("a.xlsx: unsupported file type; accepted: .csv");
    expect(() => formatOf("-")).toThrow("standard input requires --format");
  });

  it("needs a file that is there", async () => {
    await expect(readFile("none.csv")).rejects.toThrow("none.csv is not a file");
  });
});
