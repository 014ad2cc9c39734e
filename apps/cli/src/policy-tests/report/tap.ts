import { stringify } from "yaml";
import { formatDiagnostic, formatPlace } from "@ikg/sources";
import { coverageLines } from "../coverage/print.ts";
import type { FileResult } from "../run/result.ts";
import type { Reporter } from "./report.ts";

interface Point {
  readonly ok: boolean;
  readonly title: string;
  readonly diagnostics?: object;
}

/** Escapes a title: `#` would start a directive. */
const escaped = (title: string): string => title.replaceAll(/[\\#]/g, "\\$&").replaceAll("\n", " ");

const pointsOf = ({ file, name, faults, problem, tests }: FileResult): readonly Point[] => {
  const broken = [...faults.map(formatDiagnostic), ...(problem === undefined ? [] : [problem])];
  return [
    ...(broken.length === 0 ? [] : [{ ok: false, title: file, diagnostics: { message: broken } }]),
    ...tests.map(({ status, title, place, expected, actual, why }): Point => {
      const ok = status === "passed";
      const diagnostics = { at: formatPlace(place), expected, actual, explanation: why };
      return { ok, title: `${name}: ${title}`, ...(ok ? {} : { diagnostics }) };
    }),
  ];
};

const block = (diagnostics: object): readonly string[] => [
  "  ---",
  ...stringify(diagnostics, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`),
  "  ...",
];

/** The Test Anything Protocol, version 14. */
export const tap: Reporter = ({ files, coverage }) => {
  const points = files.flatMap(pointsOf);
  const lines = [
    "TAP version 14",
    `1..${points.length}`,
    ...points.flatMap(({ ok, title, diagnostics }, index) => [
      `${ok ? "ok" : "not ok"} ${index + 1} - ${escaped(title)}`,
      ...(diagnostics === undefined ? [] : block(diagnostics)),
    ]),
    ...(coverage === undefined ? [] : coverageLines(coverage).map((line) => `# ${line}`)),
  ];
  return `${lines.join("\n")}\n`;
};
