import { formatDiagnostic, formatPlace } from "@ikg/sources";
import { coverageLines } from "../coverage/print.ts";
import type { FileResult, TestResult } from "../run/result.ts";
import { belowThreshold, countsOf, numberOf, type Reporter } from "./report.ts";

const marks = { passed: "✓", failed: "✗", error: "!" } as const;

const testLines = ({ status, title, place, expected, actual, why }: TestResult): readonly string[] =>
  status === "passed"
    ? [`  ${marks.passed} ${title}`]
    : [
        `  ${marks[status]} ${title}`,
        `      ${formatPlace(place)}`,
        `      expected  ${expected}`,
        `      actual    ${actual}`,
        ...why.map((line) => `      ${line}`),
      ];

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

const fileLines = (file: FileResult): readonly string[] => [
  `${file.name} (${file.file}, ${seconds(file.milliseconds)})`,
  ...file.faults.map(formatDiagnostic),
  ...(file.problem === undefined ? [] : [`  could not be run: ${file.problem}`]),
  ...file.warnings.map((warning) => `  warning: ${formatDiagnostic(warning)}`),
  ...file.tests.flatMap(testLines),
  "",
];

/** A report for the terminal. */
export const readable: Reporter = (report) => {
  const { tests, passed, failed, errors } = countsOf(report.files);
  const below = belowThreshold(report);
  const lines = [
    ...report.files.flatMap(fileLines),
    ...(report.coverage === undefined ? [] : [...coverageLines(report.coverage), ""]),
    ...(below === undefined ? [] : [below]),
    `${numberOf(tests, "test")} in ${numberOf(report.files.length, "file")}: ${passed} passed, ${failed} failed, ${errors} could not be run; ${seconds(report.milliseconds)}`,
  ];
  return `${lines.join("\n")}\n`;
};
