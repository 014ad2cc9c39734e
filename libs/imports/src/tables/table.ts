import type { TableFormat } from "./format.ts";
import type { Row } from "./row.ts";

/** A file with rows, wherever it is stored. */
export interface TableFile {
  /** How messages and mappings call it. */
  readonly name: string;
  readonly format: TableFormat;
  /**
   * The content from its beginning, decompressed, at the pace of its reader.
   *
   * @param onBytes hears of bytes of the file itself.
   * @throws InputFault where it cannot be read.
   */
  bytes(onBytes?: (count: number) => void): AsyncGenerator<Uint8Array, void, undefined>;
  /** Opens a file of a form that is not read from its beginning to its end, such as Parquet. */
  readonly openRows?: ((options: ReadOptions) => Promise<Table>) | undefined;
}

export interface ReadOptions {
  /** Names of columns, for files that have no line with them. */
  readonly columns?: readonly string[] | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | false | undefined;
  readonly encoding?: string | undefined;
  /** Rows of CSV and TSV with their lines and texts, which takes longer. */
  readonly withDetails?: boolean | undefined;
  /** Hears how many bytes of the file have been read. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

/** An open file. */
export interface Table {
  /** Undefined for rows that are objects of any members. */
  readonly columns: readonly string[] | undefined;
  readonly areObjects: boolean;
  /** Rows in their order, some at a time; read once. */
  batches(): AsyncGenerator<readonly Row[], void, undefined>;
  /** Frees what an unread file holds; a file whose batches have ended or were returned holds nothing. */
  close(): Promise<void>;
}
