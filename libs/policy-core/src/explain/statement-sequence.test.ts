import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runStatements, firstWithoutRow } from "./statement-sequence.ts";

const seek = async (
  rows: readonly boolean[],
  answers: (index: number) => boolean = () => true,
): Promise<{ readonly found: Awaited<ReturnType<typeof runStatements>>; readonly statements: number }> => {
  let statements = 0;
  const sequence = firstWithoutRow(rows.length, String);
  const found = await runStatements(sequence, (text) => {
    statements += 1;
    const index = Number(text);
    return Promise.resolve(answers(index) ? (rows[index] === true ? [{}] : []) : undefined);
  });
  return { found, statements };
};

describe("halving", () => {
  it("finds the first text without a row, with the logarithm of the number of texts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(200), fc.nat(200), async (withRow, without) => {
        const rows = [...Array<boolean>(withRow).fill(true), ...Array<boolean>(without + 1).fill(false)];
        const { found, statements } = await seek(rows);
        expect(found).toEqual({ index: withRow, certain: true });
        expect(statements).toBeLessThanOrEqual(Math.ceil(Math.log2(rows.length)));
      }),
    );
  });

  it("finds nothing among no texts", async () => {
    expect((await seek([])).found).toBeUndefined();
  });

  it("takes what did not finish for empty, and says so", async () => {
    const rows = [true, true, true, true, true, true, false, false];
    expect((await seek(rows, (index) => index < 4)).found).toEqual({ index: 4, certain: false });
  });
});
