/** The section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import { countText, type Line, targetsTable } from "../targets.ts";
import { statements } from "./items.ts";
import { plan } from "./plan.ts";

/** The section, as the formatter leaves it. */
export const section = (lines: readonly Line[], machine: Machine): readonly string[] => [
  ...targetsTable(lines),
  "",
  "Figures are nodes or relationships per second. A node has two values and three metadata keys.",
  "",
  "- **Raw UNWIND**: the statements below by the driver, auto-commit with the database named, rows sorted and prepared",
  "  before the clock starts; so are the bodies of the requests.",
  "- **Service directly**: `POST /capture/v1/nodes` and `/relationships` with the internal context that the gateway would",
  "  have signed. The target is for one caller; with more of them the database is the bottleneck.",
  `- **Import**: \`POST /capture/v1/imports\` of ${countText(plan.import.nodes)} nodes and ${countText(plan.import.relationships)} relationships, from the first byte to the last row`,
  `  written, compared with the same statements with ${countText(plan.import.batch)} rows each from ${plan.import.connections} connections.`,
  "",
  "```cypher",
  statements("p1").nodes,
  "",
  statements("p1").relationships,
  "```",
  "",
  `- Method: ${plan.rounds} rounds of at most ${plan.requests} requests or ${plan.roundMs / 1000} s for each variant, after one that does not count, the variants`,
  `  interleaved; ${plan.import.rounds} rounds of the import. Figures are medians over the rounds, ratios medians of the ratios within them.`,
  `- Data: ${countText(plan.stock)} existing nodes; seed ${plan.seed}.`,
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench capture\`.`,
];
