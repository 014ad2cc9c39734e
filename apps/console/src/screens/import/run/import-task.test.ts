import { describe, expect, it } from "@jest/globals";
import type { Ikg } from "@ikg/client";
import { browserFile, planImport, readMapping } from "@ikg/imports/browser";
import { ImportTask } from "./import-task.ts";

const rows = 45_000;
const csv = `id,age\n${Array.from({ length: rows }, (_, at) => `p${at},${at === 7 ? "x" : at}`).join("\n")}\n`;
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

const newTask = async (): Promise<ImportTask> =>
  new ImportTask(
    await planImport([browserFile(new File([csv], "a.csv"))], readMapping("map.yaml", mapping)),
    csv.length,
  );

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
