import { shownCell } from "./cell.ts";
import type { Style } from "./style.ts";

export interface TableOptions {
  readonly style: Style;
  /** Columns of the terminal; undefined: unlimited. */
  readonly width: number | undefined;
  /** Indexes of columns that are never truncated, such as ids. */
  readonly whole?: ReadonlySet<number>;
}

const gap = 2;
const minWidth = 6;

/** The number of code points, an approximation of the width on a terminal. */
const lengthOf = (text: string): number => Array.from(text).length;

const cut = (text: string, width: number): string =>
  lengthOf(text) <= width
    ? text
    : `${Array.from(text)
        .slice(0, Math.max(0, width - 1))
        .join("")}…`;

/** Shrinks the widest columns that may be truncated until the table fits; undefined if it cannot. */
const fitted = (
  widths: readonly number[],
  available: number,
  whole: ReadonlySet<number>,
): readonly number[] | undefined => {
  const fitting = [...widths];
  const total = (): number => fitting.reduce((sum, each) => sum + each, gap * (fitting.length - 1));
  while (total() > available) {
    const widest = Math.max(...fitting.filter((_, at) => !whole.has(at)));
    if (widest <= minWidth) return undefined;
    fitting[fitting.findIndex((each, at) => each === widest && !whole.has(at))] = widest - 1;
  }
  return fitting;
};

/** A block of lines for each row, for terminals that are too narrow for a table. */
const blocks = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { style }: TableOptions,
) => {
  const width = Math.max(0, ...headers.map(lengthOf));
  return rows
    .map((row) =>
      headers
        .map((header, at) => `${style("heading", header.padEnd(width))}${" ".repeat(gap)}${row[at] ?? ""}\n`)
        .join(""),
    )
    .join("\n");
};

/** Formats rows as a table that fits the terminal. */
export const tableOf = (
  headers: readonly string[],
  values: readonly (readonly unknown[])[],
  options: TableOptions,
): string => {
  const rows = values.map((row) => row.map(shownCell));
  const natural = headers.map((header, at) =>
    rows.reduce((most, row) => Math.max(most, lengthOf(row[at] ?? "")), lengthOf(header)),
  );
  const { style, width, whole = new Set<number>() } = options;
  const widths = width === undefined ? natural : fitted(natural, width, whole);
  if (widths === undefined) return blocks(headers, rows, options);
  const line = (cells: readonly string[]): string =>
    widths
      .map((each, at) => {
        const text = cut(cells[at] ?? "", each);
        return at === widths.length - 1 ? text : text + " ".repeat(each - lengthOf(text) + gap);
      })
      .join("")
      .trimEnd();
  return [style("heading", line(headers)), ...rows.map(line)].map((each) => `${each}\n`).join("");
};
