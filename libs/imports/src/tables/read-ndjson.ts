import { isJsonObject } from "@ikg/contracts/values";
import { InputFault } from "../input-fault.ts";
import { fileText } from "./file-text.ts";
import type { Row } from "./row.ts";
import type { ReadOptions, Table, TableFile } from "./table.ts";

/** Maximum characters of a line: a file that is one JSON text is not read into memory. */
const maxLineCharacters = 16 * 1024 * 1024;

/**
 * Numbered lines, without blank ones.
 *
 * @throws InputFault for a line that is too long.
 */
const linesOf = async function* (
  file: TableFile,
  { encoding = "utf-8", onBytes }: ReadOptions,
): AsyncGenerator<readonly (readonly [number, string])[], void, undefined> {
  let number = 0;
  let begun = "";
  const add = (text: string): void => {
    begun += text;
    if (begun.length > maxLineCharacters)
      throw new InputFault(
        `${file.name}:${number + 1}: longer than ${maxLineCharacters} characters; one JSON object per line expected`,
      );
  };
  const numbered = (lines: readonly string[]): readonly (readonly [number, string])[] =>
    lines.flatMap((line) => {
      number += 1;
      return line.trim() === "" ? [] : [[number, line] as const];
    });
  for await (const text of fileText(file, encoding, onBytes)) {
    const [first = "", ...rest] = text.split("\n");
    add(first);
    const last = rest.pop();
    if (last === undefined) continue;
    yield numbered([begun, ...rest]);
    begun = last;
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
