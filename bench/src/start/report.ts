/** The section of `docs/benchmarks.md`. */
import { type ServiceName, serviceNames } from "@ikg/contracts";
import type { Machine } from "../machine.ts";
import { type Line, targetsTable, msText, ratioText } from "../targets.ts";
import type { Memory } from "./memory.ts";
import { targets, plan } from "./plan.ts";

export interface Figures {
  /** milliseconds */
  readonly starts: Readonly<Record<ServiceName | "bare", number>>;
  /** megabytes */
  readonly idle: Memory;
  readonly busy: Memory;
}

export const linesOf = ({ starts, idle, busy }: Figures): readonly Line[] => [
  ...serviceNames.map((service) => ({
    what: `${service}, from process start to ready`,
    figure: msText(starts[service]),
    ratio: ratioText(starts[service] / starts.bare),
    target: `within ${targets.readyMs} ms`,
    met: starts[service] <= targets.readyMs,
    baseline: `an HTTP server alone: ${msText(starts.bare)}`,
  })),
  ...serviceNames.map((service) => ({
    what: `${service}, memory at ${plan.callers} callers, at most`,
    figure: `${busy[service].toFixed(0)} MB`,
    ratio: ratioText(busy[service] / idle[service]),
    target: "",
    met: undefined,
    baseline: `idle: ${idle[service].toFixed(0)} MB`,
  })),
];

/** The section, as the formatter leaves it. */
export const section = (lines: readonly Line[], machine: Machine): readonly string[] => [
  ...targetsTable(lines),
  "",
  "- **Ready**: from the start of the process to the first 200 of `/readyz`, which is polled every few milliseconds; its stores",
  `  are running. Medians of ${plan.starts - 1} interleaved starts, after one that fills the compile cache.`,
  `- **Memory**: resident; idle a few seconds after the suite's start, then ${plan.loadMs / 1000} s each of decisions, queries, captures, records`,
  `  and tool lists by ${plan.callers} callers through the gateway. Audit and scorer have no callers of their own.`,
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j};`,
  `  load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench start\`.`,
];
