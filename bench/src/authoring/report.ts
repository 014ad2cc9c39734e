/** The section of `docs/benchmarks.md`. */
import { type Graph, nodeCount, relationshipCount } from "../drive/graph.ts";
import type { Machine } from "../machine.ts";
import { countText, type Line, targetsTable } from "../targets.ts";
import { plan } from "./plan.ts";

/** The section, as the formatter leaves it. */
export const section = (
  lines: readonly Line[],
  machine: Machine,
  graph: Graph,
  command: string,
): readonly string[] => [
  ...targetsTable(lines),
  "",
  "Simulations of changes to policies through the gateway, as their caller sees them, and change sets. Exact counts are compared with",
  "what is known from the data, and a wrong one ends the run.",
  "",
  "- **Searches for every subject**: what a caller without simulations would do to learn the same, a search for the resources of each",
  `  subject before the change and one after it, ${plan.searchers} at a time. Those of ${plan.searchedSubjects} random subjects are timed in each round, and the time of all`,
  "  is worked out from them.",
  "- **First line**: the first line of progress in which there are counts and examples. **Exact answer**: the first line in which every",
  "  pair that differs is known; how many pairs are granted before and after is counted behind it.",
  "- **Decisions of another project**: the service directly, in turns without and with simulations that scan the rule with the most",
  "  pairs all the time.",
  `- **Change set**: ${plan.policies} new policies in one call, and through the gateway the first decisions that follow them.`,
  "- **Memory**: documents are the subjects; what was resident at most, less what was resident before.",
  `- Data: a drive of ${countText(nodeCount(graph))} nodes and ${countText(relationshipCount(graph))} relationships, seed ${plan.seed}.`,
  `- Method: ${plan.rounds} rounds, in which a simulation and its searches take turns; figures are medians.`,
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j};`,
  `  load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`${command}\`.`,
];
