import type { Row } from "../tables/row.ts";
import type { ReadOptions } from "../tables/table.ts";
import type { ImportPlan, OpenedFile } from "./import-plan.ts";

/** All rows before this position have been processed: `row` rows of a file, and all rows of the files before it. */
export interface Position {
  readonly file: number;
  readonly row: number;
}

export const isBefore = (one: Position, other: Position): boolean =>
  one.file < other.file || (one.file === other.file && one.row < other.row);

/** A row with the file that it came from. */
export interface RowInFile {
  readonly row: Row;
  readonly source: OpenedFile;
}

/** Rows of all files in their order. */
export class RowCursor {
  readonly #plan: ImportPlan;
  readonly #options: Pick<ReadOptions, "hasDetails" | "onBytes">;
  #position: Position;
  #opened: OpenedFile | undefined;
  #batches: AsyncGenerator<readonly Row[], void, undefined> | undefined;
  #batch: readonly Row[] = [];
  #at = 0;

  constructor(plan: ImportPlan, from: Position, options: Pick<ReadOptions, "hasDetails" | "onBytes"> = {}) {
    this.#plan = plan;
    this.#position = from;
    this.#options = options;
  }

  /** The position after the last row that was taken. */
  get position(): Position {
    return this.#position;
  }

  /** Reads the next batch if no buffered row is left. @returns false at the end of the last file */
  async fill(): Promise<boolean> {
    while (this.#at >= this.#batch.length) {
      if (this.#position.file >= this.#plan.files.length) return false;
      if (this.#batches === undefined) {
        this.#opened = await this.#plan.open(this.#position.file, this.#options);
        this.#batches = this.#opened.table.batches();
      }
      const next = await this.#batches.next();
      if (next.done === true) {
        this.#batches = undefined;
        this.#position = { file: this.#position.file + 1, row: 0 };
        this.#batch = [];
      } else this.#batch = next.value;
      // Skips rows before the position.
      const first = this.#batch[0]?.number ?? 1;
      this.#at = Math.max(0, Math.min(this.#batch.length, this.#position.row + 1 - first));
    }
    return true;
  }

  /** The next buffered row; undefined if the next batch must be read first. */
  take(): RowInFile | undefined {
    const row = this.#batch[this.#at];
    if (row === undefined || this.#opened === undefined) return undefined;
    this.#at += 1;
    this.#position = { file: this.#position.file, row: row.number };
    return { row, source: this.#opened };
  }

  /** Skips the rows before a position. */
  async skipTo(position: Position): Promise<void> {
    while (isBefore(this.#position, position)) {
      if (this.#position.file < position.file) {
        await this.close();
        this.#position = { file: position.file, row: position.row };
        return;
      }
      if (!(await this.fill()) || this.#position.file > position.file) return;
      while (isBefore(this.#position, position) && this.take() !== undefined);
    }
  }

  async close(): Promise<void> {
    await this.#batches?.return();
    this.#batches = undefined;
    this.#batch = [];
    this.#at = 0;
  }
}
