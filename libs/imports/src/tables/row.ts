/** Values of a row: in the order of the columns, or by their names. */
export type Cells = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A row of a file, before it is mapped. */
export interface Row {
  /** Counts from 1; the line with the names of columns is none. */
  readonly number: number;
  readonly cells: Cells;
  /** The line on which it begins, and its text; of CSV and TSV only where rows are read with details. */
  readonly line?: number | undefined;
  readonly text?: string | undefined;
  /** Why it is no row. */
  readonly fault?: string | undefined;
}
