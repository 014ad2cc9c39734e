import type { Row } from "../tables/row.ts";
import type { ReadOptions } from "../tables/table.ts";
import type { ImportPlan, OpenedFile } from "./import-plan.ts";

/** Rows before it are done: `row` of them in a file, and all of the files before. */
export interface Position {
  readonly file: number;
  readonly row: number;
}

export const isBefore = (one: Position, other: Position): boolean =>
  one.file < other.file || (one.file === other.file && one.row < other.row);

/** A row in its file. */
export interface PlacedRow {
  readonly row: Row;
  readonly opened: OpenedFile;
}

/** Rows of all files in their order. */
export class RowCursor {
  readonly #plan: ImportPlan;
  readonly #options: Pick<ReadOptions, "withDetails" | "onBytes">;
  #position: Position;
  #opened: OpenedFile | undefined;
  #batches: AsyncGenerator<readonly Row[], void, undefined> | undefined;
  #batch: readonly Row[] = [];
  #at = 0;

  constructor(plan: ImportPlan, from: Position, options: Pick<ReadOptions, "withDetails" | "onBytes"> = {}) {
    this.#plan = plan;
    this.#position = from;
    this.#options = options;
  }

  /** Behind the last row that was taken. */
  get position(): Position {
    return this.#position;
  }

  /** Reads on where no row is at hand. @returns whether there is another row */
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
      // Rows before the position are passed over.
      const first = this.#batch[0]?.number ?? 1;
      this.#at = Math.max(0, Math.min(this.#batch.length, this.#position.row + 1 - first));
    }
    return true;
  }

  /** The next row at hand; undefined when more must be read first. */
  take(): PlacedRow | undefined {
    const row = this.#batch[this.#at];
    if (row === undefined || this.#opened === undefined) return undefined;
    this.#at += 1;
    this.#position = { file: this.#position.file, row: row.number };
    return { row, opened: this.#opened };
  }

  /** Passes over rows before a position. */
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
