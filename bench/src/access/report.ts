/** The section of `docs/benchmarks.md`. */
import { nodeCount, relationshipCount, type Graph } from "../drive/graph.ts";
import { handWritten, handWrittenBatch, handWrittenSearch } from "../drive/rules.ts";
import type { Machine } from "../machine.ts";
import { countText, type Line, marksTable } from "../marks.ts";
import { plan } from "./plan.ts";

export interface DataSet {
  readonly name: string;
  readonly graph: Graph;
}

const dataText = ({ name, graph }: DataSet): string =>
  `${name} ${countText(nodeCount(graph))} nodes and ${countText(relationshipCount(graph))} relationships`;

/** The section, as the formatter leaves it. */
export const section = (
  lines: readonly Line[],
  machine: Machine,
  cerbosVersion: string,
  data: readonly DataSet[],
  command: string,
): readonly string[] => [
  ...marksTable(lines),
  "",
  "Half of the questions are allowed, a fifth name a person or document that does not exist; subjects are drawn by Zipf's",
  "law. Each answer is compared with what is known to be right, and a wrong one ends the run.",
  "",
  "- **Decision**: may a person READ a document; she owns it, and its level is within her clearance. One policy.",
  "- **Three candidates**: may she VIEW it; she owns it, or a folder above it is shared with her, or with a group that she",
  "  is in, through nested groups. Three policies.",
  "- **Raw driver**: the statements below, written by hand, auto-commit in READ sessions with the database named, in one",
  "  process. Of three rules each is a statement of its own, until one grants.",
  "- **Cerbos**: its server answers the same AuthZEN requests from the attributes that are handed to it with each, and",
  "  looks nothing up; through the gateway means a gateway of the measurement's own before it.",
  "- **Search**: all documents that a person may READ. **Degrees**: owners of a document, documents of a person.",
  "- **Freshness**: a relationship is captured or deleted by the API, then the decision that it changes is asked for.",
  "- **Memory**: the most that was resident while 64 callers asked.",
  "",
  "```cypher",
  ...handWritten("READ", "p1"),
  "",
  ...handWritten("VIEW", "p1").flatMap((text) => [text, ""]),
  "// a batch",
  handWrittenBatch("READ", "p1"),
  "",
  "// a search",
  handWrittenSearch("p1"),
  "```",
  "",
  `- Data: ${data.map(dataText).join("; ")}; ${countText(plan.questions)} questions for each size and action, seed ${plan.seed}.`,
  "- Method: after a warm-up the ways take turns in rounds; figures are medians over the rounds, ratios medians of the",
  "  ratios within them. The callers run in one process on the same machine and take their share of it.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}, Cerbos ${cerbosVersion}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`${command}\`.`,
];
