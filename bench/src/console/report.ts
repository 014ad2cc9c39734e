/** The figures as a table, and the section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import { countText, type Line, msText, ratioText, reported, targetsTable } from "../targets.ts";
import type { measureDrawing } from "./drawing.ts";
import type { Opening } from "./opening.ts";
import { plan, targets } from "./plan.ts";
import type { Blocking } from "./typing.ts";

type Drawings = Awaited<ReturnType<typeof measureDrawing>>;

const within = (value: number, target: number, baseline: number): Pick<Line, "ratio" | "target" | "met"> => ({
  ratio: baseline > 0 ? ratioText(value / baseline) : "",
  target: `at most ${msText(target)}`,
  met: value <= target,
});

const taskText = (ms: number): string => (ms === 0 ? "below 50 ms" : msText(ms));

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(0)} kB`;

export const linesOf = (
  opening: Opening,
  blocking: Blocking,
  { first, whole }: Drawings,
): readonly Line[] => [
  {
    what: "the console is usable: one can sign in",
    figure: msText(opening.usableMs),
    ...within(opening.usableMs, targets.usableMs, opening.emptyMs),
    baseline: `a page of the gateway without content: ${msText(opening.emptyMs)}`,
  },
  {
    what: "from signing in to the first screen",
    figure: msText(opening.firstScreenMs),
    ...within(opening.firstScreenMs, targets.usableMs, opening.emptyMs),
    baseline: `a page of the gateway without content: ${msText(opening.emptyMs)}`,
  },
  {
    what: "initial load, compressed",
    figure: kilobytes(opening.loadBytes),
    ratio: ratioText(opening.loadBytes / opening.contentBytes),
    target: `at most ${kilobytes(targets.loadBytes)}`,
    met: opening.loadBytes <= targets.loadBytes,
    baseline: `decompressed: ${kilobytes(opening.contentBytes)}`,
  },
  {
    what: "longest task while one types into the policy editor",
    figure: taskText(blocking.editorMs),
    ...within(blocking.editorMs, targets.longTaskMs, blocking.fieldMs),
    baseline: `a field of plain text: ${taskText(blocking.fieldMs)}`,
  },
  {
    what: "- and processor time for one key",
    figure: msText(blocking.editorKeyMs),
    ...reported(blocking.editorKeyMs / blocking.fieldKeyMs),
    baseline: `a field of plain text: ${msText(blocking.fieldKeyMs)}`,
  },
  {
    what: `longest task while a file of ${countText(plan.rows)} rows is tried`,
    figure: taskText(blocking.fileMs),
    ratio: "",
    target: "",
    met: undefined,
    baseline: "",
  },
  {
    what: `${countText(whole.elements)} nodes and relationships are drawn`,
    figure: msText(whole.ms),
    ...within(whole.ms, targets.drawMs, first.ms),
    baseline: `${countText(first.elements)} of them: ${msText(first.ms)}`,
  },
];

export const section = (lines: readonly Line[], machine: Machine, browser: string): readonly string[] => [
  ...targetsTable(lines),
  "",
  "A headless Chromium on the machine of the suite opens the [console](console.md) as a person does; each opening begins without anything of it in the browser. A long task",
  "is one of 50 ms or more, as the browser counts them: shorter ones are not felt.",
  "",
  `- Method: medians of ${plan.opens} openings, and of ${plan.typings} times ${plan.characters} characters, one every ${plan.keyMs} ms, in the editor and in the field in turn; one`,
  "  dry run of the file; the longest of each drawing as the page measures it.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  Chromium ${browser}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench -- console\`.`,
];
