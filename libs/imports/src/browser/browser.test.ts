import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { openTable } from "../tables/open-table.ts";
import type { RejectedLine } from "../jobs/rejected-lines.ts";
import { browserFile } from "./browser-file.ts";
import { MemoryStore } from "./memory-store.ts";

const cellsOf = async (file: File): Promise<readonly unknown[]> => {
  const table = await openTable(browserFile(file), {});
  const rows: unknown[] = [];
  for await (const batch of table.batches()) rows.push(...batch.map(({ cells }) => cells));
  return rows;
};

describe("a file that the user has chosen", () => {
  const csv = `id,name\n${Array.from({ length: 5_000 }, (_, at) => `${at},é ${at}`).join("\n")}\n`;
  const rows = Array.from({ length: 5_000 }, (_, at) => [String(at), `é ${at}`]);

  it("is read as a stream, compressed or not, and its stored bytes are counted", async () => {
    expect(await cellsOf(new File([csv], "a.csv"))).toEqual(rows);
    const stored = gzipSync(csv);
    const file = browserFile(new File([stored], "a.csv.gz"));
    let [bytes, content] = [0, 0];
    for await (const each of file.bytes((count) => void (bytes += count))) content += each.length;
    expect([bytes, content]).toEqual([stored.length, Buffer.byteLength(csv)]);
    expect(await cellsOf(new File([stored], "a.csv.gz"))).toEqual(rows);
  });

  it("has the format of its extension, and fails where it is damaged", async () => {
    expect(() => browserFile(new File([], "a.parquet"))).toThrow("Parquet can be imported with ikg import");
    expect(() => browserFile(new File([], "a.txt"))).toThrow("unsupported file type; accepted: .csv");
    await expect(cellsOf(new File([gzipSync(csv).subarray(0, 900)], "a.csv.gz"))).rejects.toThrow(
      "a.csv.gz cannot be read",
    );
  });
});

const lines = async function* (...rows: readonly number[]): AsyncGenerator<RejectedLine> {
  for (const row of rows) yield { file: "a.csv", row, text: String(row), errors: ["no"] };
};

describe("what a tab keeps of an import", () => {
  it("forgets the rejected lines of a job that was not accounted for", async () => {
    const store = new MemoryStore();
    expect(await store.addRejected(lines(1, 2))).toBe(2);
    expect(await store.addRejected(lines(3))).toBe(3);
    store.keepRejected(2);
    expect(await store.addRejected(lines(4))).toBe(3);
    expect(store.firstRejected.map(({ row }) => row)).toEqual([1, 2, 4]);
    const texts = (await store.rejectedText().text()).trimEnd().split("\n");
    expect(texts.map((text) => (JSON.parse(text) as RejectedLine).row)).toEqual([1, 2, 4]);
  });

  it("has nothing of lines that could not all be read", async () => {
    const store = new MemoryStore();
    const broken = async function* (): AsyncGenerator<RejectedLine> {
      yield* lines(1);
      throw new Error("gone");
    };
    await expect(store.addRejected(broken())).rejects.toThrow("gone");
    expect(store.firstRejected).toEqual([]);
  });
});
