import type { LineKind } from "../mapping/line-of.ts";
import { textOf } from "../mapping/convert.ts";
import type { Row } from "../tables/row.ts";
import type { JobRange } from "./read-job.ts";
import { isBefore, type RowInFile, type RowCursor } from "./row-cursor.ts";

/** A line that was not written to the graph, with its position in the file. */
export interface RejectedLine {
  readonly file: string;
  readonly row: number;
  /** Line on which the row begins; Parquet files have no lines. */
  readonly line?: number;
  /** Undefined for an unusable row. */
  readonly kind?: LineKind;
  readonly text: string;
  readonly errors: readonly string[];
}

/** A line of a job that the suite rejected. */
export interface RejectedByNumber {
  readonly line: number;
  readonly errors: readonly string[];
}

/** Describes a rejected line by its row. */
export const rejectedLine = (
  { row, source }: RowInFile,
  errors: readonly string[],
  kind?: LineKind,
): RejectedLine => {
  const { number, line, text = textOf(row.cells) }: Row = row;
  return {
    file: source.file.name,
    row: number,
    ...(line !== undefined && { line }),
    ...(kind !== undefined && { kind }),
    text,
    errors,
  };
};

/**
 * Reads the rows of a job again to find those of rejected lines, which the suite reports by number.
 *
 * @param cursor only moves forward: jobs are passed in the order of their rows.
 * @param byNumber in the order of the lines.
 */
export const rejectedLines = async function* (
  cursor: RowCursor,
  { kind, from, to }: JobRange,
  byNumber: AsyncIterable<RejectedByNumber>,
  isFirstPass: boolean,
): AsyncGenerator<RejectedLine, void, undefined> {
  const numbered = byNumber[Symbol.asyncIterator]();
  let next = await numbered.next();
  let line = 0;
  await cursor.skipTo(from);
  while (isBefore(cursor.position, to) && (await cursor.fill())) {
    for (let placed: RowInFile | undefined; isBefore(cursor.position, to) && (placed = cursor.take());) {
      const { row, source } = placed;
      if (row.fault !== undefined) {
        if (isFirstPass) yield rejectedLine(placed, [row.fault]);
        continue;
      }
      for (const each of source.converter.linesOf(kind, row)) {
        if ("errors" in each) {
          yield rejectedLine(placed, each.errors, kind);
          continue;
        }
        line += 1;
        if (next.done === true || next.value.line !== line) continue;
        yield rejectedLine(placed, next.value.errors, kind);
        next = await numbered.next();
      }
    }
  }
};
