import type { Style } from "../output/style.ts";
import type { DryRun } from "./dry-run.ts";
import { lineText } from "./line-text.ts";
import type { RejectedLine } from "./rejected-lines.ts";

const cut = (text: string, width: number | undefined): string =>
  width === undefined || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

/** Where a rejected line is, and why: `people.csv:7: hours: "abc" is no integer`. */
export const rejectedText = ({ file, row, line, kind, errors }: RejectedLine): string => {
  const place = line === undefined ? `${file}, row ${row}` : `${file}:${line}`;
  // Reasons of the suite say it themselves: `node.external_id: …`.
  const isSaid = kind === undefined || errors.every((error) => error.startsWith(kind));
  return `${place}: ${isSaid ? "" : `${kind}: `}${errors.join("; ")}`;
};

const countsText = (counts: Readonly<Record<string, number>>, none: string): string => {
  const texts = Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, count]) => `${type} ${count}`);
  return texts.length === 0 ? none : texts.join(", ");
};

/** What people see of a dry run. @param width lines are cut to it */
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
