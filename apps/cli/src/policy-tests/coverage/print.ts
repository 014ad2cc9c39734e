import type { Coverage, SubjectCoverage } from "./coverage.ts";

export const percentText = (percent: number): string => `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;

const times = ({ kind, asked, granted, denied }: SubjectCoverage): string =>
  kind === "query" ? `asked ${asked}` : `asked ${asked}, granted ${granted}, denied ${denied}`;

/** Coverage in lines. */
export const coverageLines = ({ subjects, covered, total, percent }: Coverage): readonly string[] => [
  `coverage ${percentText(percent)}, ${covered} of ${total}`,
  ...subjects.flatMap((subject) => [
    `  ${subject.kind} ${subject.name}: ${times(subject)}; ${subject.covered} of ${subject.total} (${subject.place})`,
    ...subject.missing.map((missing) => `    ${missing}`),
  ]),
];
