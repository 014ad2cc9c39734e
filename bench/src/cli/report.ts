/** The section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import { type Line, targetsTable } from "../targets.ts";
import { plan } from "./plan.ts";

export const section = (lines: readonly Line[], machine: Machine, rows: number): readonly string[] => [
  ...targetsTable(lines),
  "",
  "The program is the package as it is published. Imports are counted in lines per second, from the start of the command to its end; each row of the",
  "CSV file is a node and two relationships, whose other ends are in other rows.",
  "",
  `- Method: ${plan.rounds} imports of each way in turn, of nodes that are not there yet; medians of ${plan.starts - 1} starts and of ${plan.plans} plans, the commands`,
  "  interleaved.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench -- cli --rows ${rows}\`.`,
];
