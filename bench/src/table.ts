/** A table that reads well in a terminal and is Markdown in a file: aligned as the formatter of this repository aligns. */

export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
}

/** Lines of the table. Cells may not hold `|`. */
export const markdownTable = (columns: readonly Column[], rows: readonly (readonly string[])[]): string[] => {
  const widths = columns.map(({ title }, at) =>
    Math.max(3, title.length, ...rows.map((row) => (row[at] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${columns
      .map(({ align }, at) => {
        const [cell, width] = [cells[at] ?? "", widths[at] ?? 0];
        return align === "right" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(" | ")} |`;
  const rule = columns.map(({ align }, at) => {
    const width = widths[at] ?? 0;
    return align === "right" ? `${"-".repeat(width - 1)}:` : "-".repeat(width);
  });
  return [line(columns.map(({ title }) => title)), line(rule), ...rows.map(line)];
};
