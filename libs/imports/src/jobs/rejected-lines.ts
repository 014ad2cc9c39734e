import type { LineKind } from "../mapping/line-of.ts";
import { textOf } from "../mapping/convert.ts";
import type { Row } from "../tables/row.ts";
import type { JobRange } from "./read-job.ts";
import { isBefore, type PlacedRow, type RowCursor } from "./row-cursor.ts";

/** A line that is not in the graph, by its place in the file that it came from. */
export interface RejectedLine {
  readonly file: string;
  readonly row: number;
  /** Where the row begins; Parquet has no lines. */
  readonly line?: number;
  /** What of the row; undefined where it is no row. */
  readonly kind?: LineKind;
  readonly text: string;
  readonly errors: readonly string[];
}

/** A line of a job that the suite has rejected. */
export interface RejectedByNumber {
  readonly line: number;
  readonly errors: readonly string[];
}

/** A rejected line by the row that it came from. */
export const rejectedLine = (
  { row, opened }: PlacedRow,
  errors: readonly string[],
  kind?: LineKind,
): RejectedLine => {
  const { number, line, text = textOf(row.cells) }: Row = row;
  return {
    file: opened.file.name,
    row: number,
    ...(line !== undefined && { line }),
    ...(kind !== undefined && { kind }),
    text,
    errors,
  };
};

/**
 * Reads the rows of a job again, and finds those of rejected lines: the suite knows the lines by their numbers.
 *
 * @param cursor goes forward only: jobs come in the order of their rows.
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
    for (let placed: PlacedRow | undefined; isBefore(cursor.position, to) && (placed = cursor.take());) {
      const { row, opened } = placed;
      if (row.fault !== undefined) {
        if (isFirstPass) yield rejectedLine(placed, [row.fault]);
        continue;
      }
      for (const each of opened.converter.linesOf(kind, row)) {
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
