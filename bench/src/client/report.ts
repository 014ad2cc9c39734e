/** The figures as a table, and the section of `docs/benchmarks.md`. */
import type { Turns } from "../../../stack/src/measurement/turns.ts";
import type { Machine } from "../machine.ts";
import { atLeast, type Line, targetsTable, msText, perSecondText, reported } from "../targets.ts";
import { callers, plan, targets } from "./plan.ts";
import type { Way } from "./ways.ts";

/**
 * @param many at 64 callers.
 * @param one at one caller.
 */
export const linesOf = (many: Turns<Way>, one: Turns<Way>): readonly Line[] => {
  const throughput = (way: Way): string => perSecondText(many.summary(way).throughput);
  const overhead = one.summary("joined").p50 - one.summary("fetch").p50;
  return [
    {
      what: `${callers} concurrent \`can\`, joined`,
      figure: throughput("joined"),
      ...atLeast(many.ratio("joined", "alone"), targets.joinedToAlone),
      baseline: `the same, not joined: ${throughput("alone")}`,
    },
    {
      what: "the same",
      figure: throughput("joined"),
      ...atLeast(many.ratio("joined", "driver"), targets.joinedToDriver),
      baseline: `the raw driver: ${throughput("driver")}`,
    },
    {
      what: "the same, not joined",
      figure: throughput("alone"),
      ...reported(many.ratio("alone", "fetch")),
      baseline: `\`fetch\`: ${throughput("fetch")}`,
    },
    {
      what: "one `can` by itself, beyond `fetch`, p50",
      figure: msText(Math.max(0, overhead)),
      ratio: "",
      target: `at most ${msText(targets.overheadMs)}`,
      met: overhead <= targets.overheadMs,
      baseline: `\`fetch\`: ${msText(one.summary("fetch").p50)}`,
    },
  ];
};

export const section = (lines: readonly Line[], machine: Machine): readonly string[] => [
  ...targetsTable(lines),
  "",
  "The questions and the raw driver's statement are those of [decisions](#decisions); every answer is compared with what is known to be",
  "right. `fetch` is what an application without the client writes. Callers, client and generator share one process.",
  "",
  `- Method: ${plan.warmUpMs / 1000} s of warm-up for each way, then ${plan.rounds} rounds of ${plan.roundMs / 1000} s, the ways taking turns; ratios are medians of those`,
  "  within the rounds.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench client\`.`,
];
