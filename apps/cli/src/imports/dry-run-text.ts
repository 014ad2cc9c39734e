import { type DryRun, lineText, rejectedText } from "@ikg/imports";
import type { Style } from "../output/style.ts";

const cut = (text: string, width: number | undefined): string =>
  width === undefined || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

const countsText = (counts: Readonly<Record<string, number>>, none: string): string => {
  const texts = Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, count]) => `${type} ${count}`);
  return texts.length === 0 ? none : texts.join(", ");
};

/** The result of a dry run as text. @param width lines are truncated to it */
export const dryRunText = (
  { rows, nodes, relationships, first, rejected, faults }: DryRun,
  style: Style,
  width: number | undefined,
): string => {
  const lines = [
    ...first.flatMap(({ file, row, lines: captured }) => [
      style("heading", cut(`${file}, row ${row}`, width)),
      ...captured.map((line) => cut(`  ${lineText(line)}`, width)),
    ]),
    "",
    `${rows} rows`,
    cut(`nodes:         ${countsText(nodes, "none")}`, width),
    cut(`relationships: ${countsText(relationships, "none")}`, width),
    `rejected:      ${rejected}`,
    ...faults.map((fault) => style("bad", cut(`  ${rejectedText(fault)}`, width))),
    ...(rejected > faults.length ? [`  and ${rejected - faults.length} more`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
};
