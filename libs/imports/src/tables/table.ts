import type { TableFormat } from "./format.ts";
import type { Row } from "./row.ts";

/** A file with rows, on disk or in a browser. */
export interface TableFile {
  /** The name in messages and mappings. */
  readonly name: string;
  readonly format: TableFormat;
  /**
   * The decompressed content from the beginning, with backpressure.
   *
   * @param onBytes is called with the number of stored bytes that were read.
   * @throws InputFault if the file cannot be read.
   */
  bytes(onBytes?: (count: number) => void): AsyncGenerator<Uint8Array, void, undefined>;
  /** Opens a file of a format that is not read sequentially, such as Parquet. */
  readonly openRows?: ((options: ReadOptions) => Promise<Table>) | undefined;
}

export interface ReadOptions {
  /** Column names, for files without a header line. */
  readonly columns?: readonly string[] | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | false | undefined;
  readonly encoding?: string | undefined;
  /** Rows of CSV and TSV have their line and text, which is slower. */
  readonly hasDetails?: boolean | undefined;
  /** Called with the number of bytes of the file that were read. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

/** An open file. */
export interface Table {
  /** Undefined for objects with arbitrary members. */
  readonly columns: readonly string[] | undefined;
  readonly areObjects: boolean;
  /** Batches of rows, in order; can be read once. */
  batches(): AsyncGenerator<readonly Row[], void, undefined>;
  /** Releases the resources of a file whose batches were not read to the end or returned. */
  close(): Promise<void>;
}
