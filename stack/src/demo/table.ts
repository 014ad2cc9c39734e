/** Plain tables for a terminal of 100 columns: left or right aligned cells, long ones wrapped between words. */

export interface TableColumn {
  readonly title: string;
  /** in characters; absent: as wide as its longest cell */
  readonly width?: number;
  readonly align?: "left" | "right";
}

const gap = "  ";

/** Splits a text into lines of at most `width` characters; only words longer than that are cut. */
export const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = "";
  for (let word of text.split(" ")) {
    while (word.length > width) {
      if (line !== "") lines.push(line);
      line = "";
      lines.push(word.slice(0, width));
      word = word.slice(width);
    }
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
};

const widthOf = ({ title, width }: TableColumn, cells: readonly string[]): number =>
  width ?? Math.max(title.length, ...cells.map((cell) => cell.length));

/** The lines of a table: titles, a rule, and one or more lines for each row. */
export const table = (columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] => {
  const widths = columns.map((column, at) =>
    widthOf(
      column,
      rows.map((row) => row[at] ?? ""),
    ),
  );
  const print = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) =>
        align === "right"
          ? (cells[at] ?? "").padStart(widths[at] ?? 0)
          : (cells[at] ?? "").padEnd(widths[at] ?? 0),
      )
      .join(gap)
      .trimEnd();
  const printRow = (row: readonly string[]): string[] => {
    const cells = columns.map((_, at) => wrap(row[at] ?? "", widths[at] ?? 0));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) => print(cells.map((lines) => lines[line] ?? "")));
  };
  return [
    print(columns.map(({ title }) => title)),
    print(widths.map((width) => "-".repeat(width))),
    ...rows.flatMap(printRow),
  ];
};
