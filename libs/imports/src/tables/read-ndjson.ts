import { isJsonObject } from "@ikg/contracts/values";
import { fileText } from "./file-text.ts";
import type { Row } from "./row.ts";
import type { ReadOptions, Table, TableFile } from "./table.ts";

/** Numbered lines, without blank ones. */
const linesOf = async function* (
  file: TableFile,
  { encoding = "utf-8", onBytes }: ReadOptions,
): AsyncGenerator<readonly (readonly [number, string])[], void, undefined> {
  let number = 0;
  let begun = "";
  const numbered = (lines: readonly string[]): readonly (readonly [number, string])[] =>
    lines.flatMap((line) => {
      number += 1;
      return line.trim() === "" ? [] : [[number, line] as const];
    });
  for await (const text of fileText(file, encoding, onBytes)) {
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    yield numbered(lines);
  }
  yield numbered([begun]);
};

const parsed = (text: string): Pick<Row, "cells" | "fault"> => {
  try {
    const cells: unknown = JSON.parse(text);
    return isJsonObject(cells) ? { cells } : { cells: {}, fault: "an object expected" };
  } catch {
    return { cells: {}, fault: "JSON expected" };
  }
};

/** @param areParsed false: rows have only their text. */
export const readNdjson = (file: TableFile, options: ReadOptions, areParsed: boolean): Table => {
  let count = 0;
  const rowOf = ([line, text]: readonly [number, string]): Row => {
    count += 1;
    const row = { number: count, line, text };
    return areParsed ? { ...row, ...parsed(text) } : { ...row, cells: {} };
  };
  return {
    columns: undefined,
    areObjects: true,
    close: () => Promise.resolve(),
    batches: async function* batches() {
      for await (const lines of linesOf(file, options)) if (lines.length > 0) yield lines.map(rowOf);
    },
  };
};
