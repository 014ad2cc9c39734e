import { describe, expect, it } from "@jest/globals";
import type { Ikg } from "@ikg/client";
import { browserFile, planImport, readMapping, type TableFile } from "@ikg/imports/browser";
import { ImportTask } from "./import-task.ts";

const rows = 45_000;
const csvOf = (count: number): string =>
  `id,age\n${Array.from({ length: count }, (_, at) => `p${at},${at === 7 ? "x" : at}`).join("\n")}\n`;
const mapping =
  'files: {"*": {nodes: [{type: Person, external_id: "{id}", properties: {age: {column: age, as: integer}}}]}}';

/** A suite that writes every line, and calls `onUpload` before it takes a job. */
const suite = (onUpload: (number: number) => void) => {
  const uploads: string[] = [];
  const capture = {
    import: async (source: AsyncIterable<string>, { signal }: { readonly signal: AbortSignal }) => {
      let text = "";
      for await (const piece of source) text += piece;
      onUpload(uploads.length);
      signal.throwIfAborted();
      uploads.push(text);
      return { id: String(uploads.length - 1) };
    },
    job: (id: string) => ({
      progress: async function* progress() {
        const written = uploads[Number(id)]?.trimEnd().split("\n").length ?? 0;
        yield { status: "done", nodes: { written }, relationships: { written: 0 }, rejected: { count: 0 } };
      },
    }),
  };
  return { uploads, ikg: { capture } as unknown as Ikg }; // as much of it as an import calls
};

const csv = csvOf(rows);

const newTask = async (
  text = csv,
  file: TableFile = browserFile(new File([text], "a.csv")),
): Promise<ImportTask> =>
  new ImportTask(await planImport([file], readMapping("map.yaml", mapping)), [text.length]);

const pieceBytes = 8 * 1024;

/** A file that comes in pieces, as a large one does. */
const fileInPieces = (text: string): TableFile => ({
  name: "a.csv",
  format: "csv",
  bytes: async function* bytes(onBytes = () => undefined) {
    const all = new TextEncoder().encode(text);
    for (let at = 0; at < all.length; at += pieceBytes) {
      const piece = all.subarray(at, at + pieceBytes);
      onBytes(piece.length);
      yield piece;
    }
  },
});

describe("an import of the console", () => {
  it("is stopped and resumed: no line twice, none left out, and the rejected one with its row", async () => {
    const task = await newTask();
    const { ikg, uploads } = suite((number) => {
      if (number === 1 && task.view().counts.written === 0) task.stop();
    });
    let announced = 0;
    task.subscribe(() => (announced += 1));
    await task.run(ikg);
    expect(task.view().status).toBe("stopped");
    expect(uploads).toHaveLength(1);
    await task.run(ikg);
    const { status, totals, rejected, share } = task.view();
    expect([status, share]).toEqual(["done", 1]);
    expect(totals).toEqual({ rows, nodes: rows - 1, relationships: 0, rejected: 1, notKept: 0 });
    expect(rejected.map(({ row, errors }) => [row, errors])).toEqual([[8, ['age: "x" is not an integer']]]);
    const lines = uploads.join("").trimEnd().split("\n");
    expect(new Set(lines).size).toBe(rows - 1);
    expect(lines).toHaveLength(rows - 1);
    expect(announced).toBeGreaterThan(2);
  });

  it("has come no further where it is stopped again at the same job", async () => {
    const text = csvOf(100_000);
    const task = await newTask(text, fileInPieces(text));
    const { ikg } = suite((number) => {
      if (number === 1) task.stop();
    });
    await task.run(ikg);
    const { share } = task.view();
    expect(share).toBeLessThan(0.6);
    await task.run(ikg);
    expect(task.view().status).toBe("stopped");
    expect(task.view().share).toBeCloseTo(share, 2);
  });

  it("that fails says why, and continues when it is run again", async () => {
    let isBroken = true;
    const { ikg, uploads } = suite(() => {
      if (isBroken) throw new Error("the key has expired");
    });
    const task = await newTask();
    await task.run(ikg);
    expect([task.view().status, String(task.view().error)]).toEqual(["failed", "Error: the key has expired"]);
    isBroken = false;
    await task.run(ikg);
    expect([task.view().status, task.view().error]).toEqual(["done", undefined]);
    expect(uploads).toHaveLength(3);
  });
});
