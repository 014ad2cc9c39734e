/** The section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import { countText, type Line, targetsTable } from "../targets.ts";
import { writeText } from "./raw-driver.ts";
import { plan } from "./plan.ts";

/** The section, as the formatter leaves it. */
export const section = (
  lines: readonly Line[],
  machine: Machine,
  nodes: number,
  command: string,
): readonly string[] => [
  ...targetsTable(lines),
  "",
  "Figures are nodes per second, from the start of a run to its end. A node has three values, three update times and three",
  "metadata keys; the profile names all five dimensions.",
  "",
  `- **Raw read and UNWIND**: pages of ${countText(plan.batch)} along the key index and the statement below, in turn on one connection, with`,
  "  precomputed scores. The scorer reads the next page while one is written, and works on key ranges side by",
  "  side.",
  "- **Evaluations**: through the gateway, before and while another type is scored at the pace of the settings",
  "  (`TRUST_PACE_PERCENT`, `TRUST_CONCURRENCY`).",
  "",
  "```cypher",
  writeText("p1"),
  "```",
  "",
  `- Method: after ${countText(plan.warmUp)} nodes that do not count, ${plan.rounds} runs of ${countText(plan.roundNodes)} nodes each variant, the variants interleaved;`,
  `  ratios are medians of the ratios within rounds. Then one run of ${countText(nodes)} nodes; evaluations for ${plan.loadMs / 1000} s.`,
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`${command}\`.`,
];
