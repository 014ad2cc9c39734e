import type { Place } from "@ikg/sources";
import { percentText } from "../coverage/print.ts";
import type { FileResult } from "../run/result.ts";
import { belowThreshold, countsOf, numberOf, type Reporter } from "./report.ts";

const escapedText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapedProperty = (text: string): string =>
  escapedText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** One annotation of a workflow. */
export const annotation = (kind: "error" | "warning", title: string, text: string, place?: Place): string => {
  const where =
    place === undefined ? "" : `file=${escapedProperty(place.file)},line=${place.line},col=${place.column},`;
  return `::${kind} ${where}title=${escapedProperty(title)}::${escapedText(text)}`;
};

const linesOf = ({ name, file, faults, problem, warnings, tests }: FileResult): readonly string[] => [
  ...faults.map((fault) => annotation("error", name, fault.message, fault)),
  ...(problem === undefined ? [] : [annotation("error", name, problem, { file, line: 1, column: 1 })]),
  ...warnings.map((warning) => annotation("warning", name, warning.message, warning)),
  ...tests
    .filter(({ status }) => status !== "passed")
    .map(({ title, place, expected, actual, why }) =>
      annotation("error", title, [`expected ${expected}, actual ${actual}`, ...why].join("\n"), place),
    ),
];

/** Reports annotations as GitHub workflow commands. */
export const github: Reporter = (report) => {
  const { tests, passed, failed, errors } = countsOf(report.files);
  const below = belowThreshold(report);
  const covered = report.coverage === undefined ? "" : `; coverage ${percentText(report.coverage.percent)}`;
  const lines = [
    ...report.files.flatMap(linesOf),
    ...(below === undefined ? [] : [annotation("error", "coverage", below)]),
    `${numberOf(tests, "test")}: ${passed} passed, ${failed} failed, ${errors} could not be run${covered}`,
  ];
  return `${lines.join("\n")}\n`;
};
