import type { RejectedLine } from "./rejected-lines.ts";

/** Why a line is rejected, with the kind of the line where the reasons do not name it. */
export const reasonText = ({ kind, errors }: Pick<RejectedLine, "kind" | "errors">): string => {
  // Reasons of the suite name it themselves: `node.external_id: …`.
  const isNamed = kind === undefined || errors.every((error) => error.startsWith(kind));
  return `${isNamed ? "" : `${kind}: `}${errors.join("; ")}`;
};

/** Where a rejected line is, and why: `people.csv:7: hours: "abc" is no integer`. */
export const rejectedText = (rejected: RejectedLine): string => {
  const { file, row, line } = rejected;
  const place = line === undefined ? `${file}, row ${row}` : `${file}:${line}`;
  return `${place}: ${reasonText(rejected)}`;
};
