/** The figures as a table with their targets, and the section of `docs/benchmarks.md`. */
import { cpus, totalmem } from "node:os";
import { markdownTable } from "../table.ts";
import { msText, ratioText } from "../targets.ts";
import type { CompileFigures } from "./compile.ts";
import type { FilterFigures } from "./filters.ts";

export interface Figures {
  readonly compile: CompileFigures;
  readonly filters: FilterFigures;
  /** milliseconds */
  readonly imported: number;
  /** milliseconds: with the entry points for queries and statements */
  readonly importedAll: number;
  /** milliseconds: zod, which the core does without */
  readonly importedZod: number;
  /** megabytes */
  readonly memory: number;
  readonly fromCorpus: number;
}

interface Line {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly baseline: string;
  readonly met: boolean;
}

/** The target was set where importing zod takes 40 ms; on a slower machine it is the same share of zod's time. */
const importShare = 25 / 40;

const million = (value: number): string => `${(value / 1e6).toFixed(2)} million/s`;

export const linesOf = ({
  compile,
  filters,
  imported,
  importedAll,
  importedZod,
  memory,
}: Figures): readonly Line[] => {
  const [short, , long] = compile.long;
  if (short === undefined || long === undefined) throw new Error("no long texts were measured");
  // Four times the length in at most five times the time: linear, but for noise.
  const growth = long.ms / short.ms;
  return [
    {
      what: "compile a policy, text to statements (median)",
      figure: msText(compile.median),
      target: "0.3 ms",
      baseline: `JSON.parse of the text: ${msText(compile.baseline)}`,
      met: compile.median <= 0.3,
    },
    {
      what: "compile 20,000 characters of cypher",
      figure: msText(long.ms),
      target: "15 ms",
      baseline: `5,000 characters: ${msText(short.ms)}`,
      met: long.ms <= 15,
    },
    {
      what: "time for 4 times the length",
      figure: ratioText(growth),
      target: "5 x",
      baseline: "linear: 4 x",
      met: growth <= 5,
    },
    {
      what: "filter leaves in memory",
      figure: million(filters.leaves),
      target: "1 million/s",
      baseline: `by hand: ${million(filters.baseline)}; with binding: ${million(filters.bound)}`,
      met: filters.leaves >= 1e6,
    },
    {
      what: "first import",
      figure: msText(imported),
      target: `25 ms, or ${importShare} of zod`,
      baseline: `with queries and statements: ${msText(importedAll)}; zod: ${msText(importedZod)}`,
      met: imported <= 25 || imported / importedZod <= importShare,
    },
    {
      what: "memory of 1,000 compiled policies",
      figure: `${memory.toFixed(1)} MB`,
      target: "40 MB",
      baseline: "before them: 0 MB",
      met: memory <= 40,
    },
  ];
};

export const table = (lines: readonly Line[]): string[] =>
  markdownTable(
    [
      { title: "what", align: "left" },
      { title: "figure", align: "right" },
      { title: "target", align: "right" },
      { title: "target met", align: "left" },
      { title: "compared with", align: "left" },
    ],
    lines.map(({ what, figure, target, met, baseline }) => [
      what,
      figure,
      target,
      met ? "yes" : "no",
      baseline,
    ]),
  );

export const section = (lines: readonly Line[], { compile, fromCorpus }: Figures): readonly string[] => [
  ...table(lines),
  "",
  `- Policies: ${compile.policies}, of which ${fromCorpus} real ones from outside the repository.`,
  "- Statements of a policy: decision and both searches, or the read of a query; a policy is compiled once per version.",
  "- First import: a fresh process with the compile cache that the services use; median of 7.",
  `- Machine: ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB; Node ${process.versions.node}.`,
  `- Run: ${new Date().toISOString().slice(0, 10)}, \`npm run bench policy-core\`.`,
];
