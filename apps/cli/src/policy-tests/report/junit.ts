import { formatDiagnostic, formatPlace } from "@ikg/sources";
import type { FileResult, TestResult } from "../run/result.ts";
import { countsOf, type Reporter } from "./report.ts";

/** Escapes text for XML 1.0, which does not allow control characters. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;")
    .replaceAll("\t", "&#9;");

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3);

const elements = { failed: "failure", error: "error" } as const;

const testCase = (
  name: string,
  { title, place, status, milliseconds, expected, actual, why }: TestResult,
): string => {
  const opening = `    <testcase${attributes({ name: title, classname: name, time: seconds(milliseconds) })}`;
  if (status === "passed") return `${opening}/>`;
  const element = elements[status];
  const text = [formatPlace(place), `expected  ${expected}`, `actual    ${actual}`, ...why].join("\n");
  const message = attributes({ message: `expected ${expected}, actual ${actual}`, type: status });
  return `${opening}>\n      <${element}${message}>${escaped(text)}</${element}>\n    </testcase>`;
};

/** A file that could not be run is reported as one test case with an error. */
const brokenCase = ({ name, file, faults, problem }: FileResult): readonly string[] => {
  const lines = [...faults.map(formatDiagnostic), ...(problem === undefined ? [] : [problem])];
  if (lines.length === 0) return [];
  return [
    `    <testcase${attributes({ name: file, classname: name, time: "0.000" })}>`,
    `      <error${attributes({ message: lines[0] ?? "", type: "error" })}>${escaped(lines.join("\n"))}</error>`,
    "    </testcase>",
  ];
};

const countsIn = (files: readonly FileResult[]) => {
  const { tests, failed, errors } = countsOf(files);
  const broken = files.filter((file) => brokenCase(file).length > 0).length;
  return { tests: tests + broken, failures: failed, errors };
};

const suite = (file: FileResult): readonly string[] => [
  `  <testsuite${attributes({ name: file.name, ...countsIn([file]), skipped: 0, time: seconds(file.milliseconds) })}>`,
  ...brokenCase(file),
  ...file.tests.map((test) => testCase(file.name, test)),
  "  </testsuite>",
];

/** JUnit XML for CI systems, with a test suite for each file. */
export const junit: Reporter = ({ files, milliseconds }) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "ikg test", ...countsIn(files), time: seconds(milliseconds) })}>`,
    ...files.flatMap(suite),
    "</testsuites>",
    "",
  ].join("\n");
