import { describe, expect, it } from "@jest/globals";
import { browserFile } from "../browser/browser-file.ts";
import { lineKinds } from "../mapping/line-of.ts";
import { DryRunReading } from "./dry-run.ts";
import { type ImportPlan, planImport } from "./import-plan.ts";

const node = '{"node":{"type":"Car","external_id":"1"}}';
const endOfExport = '{"complete":{"nodes":1,"relationships":0}}';

const planOf = (...lines: readonly string[]): Promise<ImportPlan> =>
  planImport([browserFile(new File([lines.join("\n")], "graph.ndjson"))], undefined);

/** The lines that both passes send. */
const sentLines = async (plan: ImportPlan): Promise<readonly string[]> => {
  const { table, converter } = await plan.open(0, {});
  const sent: string[] = [];
  for await (const rows of table.batches())
    for (const kind of lineKinds)
      for (const row of rows)
        for (const each of converter.linesOf(kind, row)) if ("text" in each) sent.push(each.text);
  return sent;
};

describe("a file that holds lines of an import", () => {
  it("is sent as it is, without the line that ends an export", async () => {
    expect(await sentLines(await planOf(node, endOfExport))).toEqual([node]);
    // The suite says what is wrong with a line that only looks like it.
    const wrong = '{"complete":true}';
    expect(await sentLines(await planOf(node, wrong))).toEqual([node, wrong]);
  });

  it("has no rejected line in a dry run where it is an export", async () => {
    const reading = new DryRunReading({ rows: 10, faults: 10 });
    expect(await reading.read(await planOf(node, endOfExport))).toMatchObject({
      nodes: { Car: 1 },
      rejected: 0,
    });
  });
});
