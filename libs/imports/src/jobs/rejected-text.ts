import type { RejectedLine } from "./rejected-lines.ts";

/** The reasons for a rejection, with the kind of the line unless they name it. */
export const reasonText = ({ kind, errors }: Pick<RejectedLine, "kind" | "errors">): string => {
  // Reasons of the suite already name it: `node.external_id: …`.
  const isNamed = kind === undefined || errors.every((error) => error.startsWith(kind));
  return `${isNamed ? "" : `${kind}: `}${errors.join("; ")}`;
};

/** Position of a rejected line and the reasons: `people.csv:7: hours: "abc" is not an integer`. */
export const rejectedText = (rejected: RejectedLine): string => {
  const { file, row, line } = rejected;
  const place = line === undefined ? `${file}, row ${row}` : `${file}:${line}`;
  return `${place}: ${reasonText(rejected)}`;
};
