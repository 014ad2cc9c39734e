/** The section of `docs/benchmarks.md`. */
import { createRequire } from "node:module";
import type { Machine } from "../machine.ts";
import { countText, type Line, targetsTable } from "../targets.ts";
import { plan } from "./plan.ts";
import { handWrittenRead, handWrittenWrite } from "./queries.ts";

/** Our own manifest pins it; its own is not for others to read. */
const manifest = createRequire(import.meta.url)("../../package.json") as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** The section, as the formatter leaves it. */
export const section = (lines: readonly Line[], machine: Machine): readonly string[] => [
  ...targetsTable(lines),
  "",
  "An application reads what a person owns, and writes a note about it. One caller; the rows of every answer are counted.",
  "",
  "- **By hand**: the statements below by the driver, auto-commit with the database named: one round trip.",
  "- **Service directly**: `POST /ciq/v1/execute` with the internal context that the gateway would have signed.",
  "- **A bare HTTP server**: Node's own, in a separate process, that runs the statement by hand and returns its rows: no",
  "  identity, no policy. What it takes beyond the statement alone is the cost of one more process.",
  "- **@neo4j/graphql**: its schema over the same nodes with `@authorization` by the token's subject, behind Node's own HTTP",
  "  server in a separate process; it looks up the same keys in the same index.",
  "- **Columns**: the same rows with one path, with three, and with all that the nodes have. A node with more properties costs",
  "  the database more to read; the target is the cost of the same by hand.",
  "",
  "```cypher",
  handWrittenRead("p1"),
  "",
  handWrittenWrite("p1"),
  "```",
  "",
  `- Data: persons who own ${[...plan.readers, plan.deep].map(countText).join(", ")} documents of ${plan.properties + 2} properties.`,
  "- Method: after a warm-up the variants are interleaved in rounds; figures are medians over the rounds, ratios medians of the",
  "  ratios within them.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}, @neo4j/graphql ${manifest.devDependencies["@neo4j/graphql"]}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench ciq\`.`,
];
