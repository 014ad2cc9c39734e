import type { CommandEnvironment } from "../command-environment.ts";
import { collect } from "./collect.ts";
import { csvLine } from "./csv.ts";
import type { OutputFormat } from "./format.ts";
import { type Style, styleFor } from "./style.ts";
import { tableOf } from "./table.ts";

/** A column of tables and CSV; the other formats print whole rows. */
export interface Column<Row> {
  readonly header: string;
  readonly value: (row: Row) => unknown;
  /** Never truncated: if the table is too wide, each row becomes a block of lines. */
  readonly whole?: true;
}

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Prints the result of a command. All results are printed by it. */
export interface Print {
  readonly format: OutputFormat;
  readonly style: Style;
  /** Columns of the terminal. */
  readonly width: number | undefined;
  /** Prints rows, one by one if the format allows it. */
  rows<Row>(rows: Rows<Row>, columns: readonly Column<Row>[], options?: RowsOptions): Promise<void>;
  /** Prints one record; a table has a row for each field. */
  record(record: object): Promise<void>;
  /** Prints text in the formats table and csv, otherwise the value. */
  text(text: string, value: unknown): Promise<void>;
}

export interface RowsOptions {
  /** Text for an empty table. */
  readonly none?: string;
}

/** A value as one document. */
const documentOf = async (format: OutputFormat, value: unknown): Promise<string> => {
  if (format === "ndjson") return `${JSON.stringify(value)}\n`;
  if (format !== "yaml") return `${JSON.stringify(value, null, 2)}\n`;
  const { stringify } = await import("./yaml.ts");
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
};

const streamed = async <Row>(
  { out, drained }: CommandEnvironment,
  rows: Rows<Row>,
  textOf: (row: Row, at: number) => string,
): Promise<number> => {
  let count = 0;
  for await (const row of rows) {
    out(textOf(row, count));
    count += 1;
    await drained();
  }
  return count;
};

const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");

export const printer = (format: OutputFormat, environment: CommandEnvironment): Print => {
  const style = styleFor(environment);
  const width = environment.columns;
  const table = (
    headers: readonly string[],
    values: readonly (readonly unknown[])[],
    whole?: ReadonlySet<number>,
  ): void =>
    environment.out(tableOf(headers, values, { style, width, ...(whole !== undefined && { whole }) }));
  return {
    format,
    style,
    width,
    rows: async (rows, columns, { none } = {}) => {
      const headers = columns.map(({ header }) => header);
      if (format === "csv") {
        environment.out(csvLine(headers));
        await streamed(environment, rows, (row) => csvLine(columns.map(({ value }) => value(row))));
      } else if (format === "ndjson") {
        await streamed(environment, rows, (row) => `${JSON.stringify(row)}\n`);
      } else if (format === "json") {
        const count = await streamed(
          environment,
          rows,
          (row, at) => `${at === 0 ? "[" : ","}\n  ${indented(row)}`,
        );
        environment.out(count === 0 ? "[]\n" : "\n]\n");
      } else {
        const all = await collect(rows);
        if (format === "yaml") environment.out(await documentOf("yaml", all));
        else if (all.length === 0) environment.out(none === undefined ? "" : `${none}\n`);
        else
          table(
            headers,
            all.map((row) => columns.map(({ value }) => value(row))),
            new Set(columns.flatMap(({ whole }, at) => (whole === true ? [at] : []))),
          );
      }
    },
    record: async (record) => {
      const fields = Object.entries(record).filter(([, value]) => value !== undefined);
      if (format === "table") table(["FIELD", "VALUE"], fields);
      else if (format === "csv") {
        environment.out(csvLine(fields.map(([name]) => name)));
        environment.out(csvLine(fields.map(([, value]) => value)));
      } else environment.out(await documentOf(format, record));
    },
    text: async (text, value) =>
      environment.out(format === "table" || format === "csv" ? text : await documentOf(format, value)),
  };
};
