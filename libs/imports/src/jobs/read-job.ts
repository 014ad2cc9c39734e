import type { LineKind } from "../mapping/line-of.ts";
import type { Position, RowCursor } from "./row-cursor.ts";

/** Rows that become the lines of one import job. */
export interface JobRange {
  readonly kind: LineKind;
  readonly from: Position;
  readonly to: Position;
  readonly rows: number;
  readonly lines: number;
  /** What cannot be sent: unusable rows, and values that cannot be converted. */
  readonly faults: number;
}

/** Maximum size of one import job. */
export interface JobLimits {
  readonly lines: number;
  readonly characters: number;
}

/** Far below the default limit of a project for one import. */
export const jobCharacters = 256 * 1024 * 1024;

const pieceCharacters = 64 * 1024;

/** Reads the rows of one job, from the position of the cursor on. */
export class JobReader {
  readonly #cursor: RowCursor;
  readonly #kind: LineKind;
  readonly #limits: JobLimits;
  readonly #countsFaultyRows: boolean;
  readonly #from: Position;
  #rows = 0;
  #lines = 0;
  #characters = 0;
  #faults = 0;
  #piece = "";

  /** @param countsFaultyRows true in one pass only, so that unusable rows are counted once. */
  constructor(cursor: RowCursor, kind: LineKind, limits: JobLimits, countsFaultyRows: boolean) {
    this.#cursor = cursor;
    this.#kind = kind;
    this.#limits = limits;
    this.#countsFaultyRows = countsFaultyRows;
    this.#from = cursor.position;
  }

  /** The rows read so far; the whole job once all pieces have been read. */
  get range(): JobRange {
    return {
      kind: this.#kind,
      from: this.#from,
      to: this.#cursor.position,
      rows: this.#rows,
      lines: this.#lines,
      faults: this.#faults,
    };
  }

  /** The lines in pieces, read on demand. */
  async *pieces(): AsyncGenerator<string, void, undefined> {
    while (!this.#isFull() && (await this.#cursor.fill())) {
      while (!this.#isFull() && this.#piece.length < pieceCharacters && this.#addRow());
      if (this.#piece === "") continue;
      const piece = this.#piece;
      this.#characters += piece.length;
      this.#piece = "";
      yield piece;
    }
  }

  #isFull(): boolean {
    const { lines, characters } = this.#limits;
    return this.#lines >= lines || this.#characters >= characters;
  }

  /** @returns false if no buffered row is left. */
  #addRow(): boolean {
    const placed = this.#cursor.take();
    if (placed === undefined) return false;
    const { row, source } = placed;
    this.#rows += 1;
    if (row.fault !== undefined) {
      if (this.#countsFaultyRows) this.#faults += 1;
      return true;
    }
    for (const each of source.converter.linesOf(this.#kind, row))
      if ("errors" in each) this.#faults += 1;
      else {
        this.#lines += 1;
        this.#piece += `${each.text}\n`;
      }
    return true;
  }
}
