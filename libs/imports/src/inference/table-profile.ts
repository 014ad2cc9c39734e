import { ownMemberOf } from "../mapping/column.ts";
import type { Cells } from "../tables/row.ts";
import { openTable } from "../tables/open-table.ts";
import { plainName } from "../tables/format.ts";
import type { ReadOptions, TableFile } from "../tables/table.ts";
import { type ColumnProfile, profileColumn } from "./column-profile.ts";
import { findDelimiter } from "./find-delimiter.ts";
import { typeNameOf } from "./names.ts";

/** A file by its first rows. */
export interface TableProfile {
  /** The name in mappings. */
  readonly file: string;
  /** The node type of its rows. */
  readonly type: string;
  readonly columns: readonly ColumnProfile[];
  /** The delimiter if it is not the default of the format. */
  readonly delimiter: string | undefined;
  /** Sampled texts that mean "no value", besides the empty text. */
  readonly empty: readonly string[];
  readonly rows: number;
  /** Whether all rows were sampled. */
  readonly isWhole: boolean;
}

const sampledRows = 1_000;

/** What PostgreSQL and MySQL write for NULL. */
const nullText = String.raw`\N`;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || value === nullText;

/** How the file is read, as far as it is known. */
export type ProfileOptions = Pick<ReadOptions, "columns" | "delimiter" | "quote" | "encoding">;

const sample = async (
  file: TableFile,
  options: ProfileOptions,
): Promise<{
  readonly rows: readonly Cells[];
  readonly columns: readonly string[];
  readonly isWhole: boolean;
}> => {
  const table = await openTable(file, options);
  const rows: Cells[] = [];
  let isWhole = true;
  for await (const batch of table.batches()) {
    rows.push(...batch.filter(({ fault }) => fault === undefined).map(({ cells }) => cells));
    isWhole = rows.length <= sampledRows;
    if (!isWhole) break;
  }
  const first = rows.slice(0, sampledRows);
  return { rows: first, columns: table.columns ?? [...new Set(first.flatMap(Object.keys))], isWhole };
};

/** @throws InputFault for a file that is not valid in its format or encoding. */
export const profileTable = async (file: TableFile, options: ProfileOptions = {}): Promise<TableProfile> => {
  const delimiter = options.delimiter ?? (await findDelimiter(file, options.encoding));
  const { rows, columns, isWhole } = await sample(file, { ...options, delimiter });
  const valuesOf = (name: string, index: number): readonly unknown[] =>
    rows
      .map((cells) =>
        Array.isArray(cells) ? (cells as readonly unknown[])[index] : ownMemberOf(cells, name),
      )
      .filter((value) => !isEmpty(value));
  const name = file.name === "standard input" ? "-" : plainName(file.name);
  return {
    file: name,
    type: name === "-" ? "Row" : typeNameOf(name),
    columns: columns.map((column, at) => profileColumn(column, valuesOf(column, at), rows.length)),
    delimiter,
    empty: rows.some((cells) => Object.values(cells).includes(nullText)) ? [nullText] : [],
    rows: rows.length,
    isWhole,
  };
};
