/** Values of a row, in the order of the columns or by name. */
export type Cells = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A row of a file, before it is mapped. */
export interface Row {
  /** Counts from 1, without the header line. */
  readonly number: number;
  readonly cells: Cells;
  /** The line on which the row begins, and its text; of CSV and TSV files only if details are requested. */
  readonly line?: number | undefined;
  readonly text?: string | undefined;
  /** Why the row is unusable. */
  readonly fault?: string | undefined;
}
