/** The section of `docs/benchmarks.md`. */
import { nodeCount, relationshipCount, type Graph } from "../drive/graph.ts";
import { handWritten, handWrittenBatch, handWrittenSearch } from "../drive/rules.ts";
import type { Machine } from "../machine.ts";
import { countText, type Line, targetsTable } from "../targets.ts";
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
  ...targetsTable(lines),
  "",
  "Half of the requests are granted, a fifth name a person or document that does not exist; subjects follow Zipf's",
  "law. Each answer is compared with the known result, and a wrong one ends the run.",
  "",
  "- **Decision**: may a person READ a document; she owns it, and its level is within her clearance. One policy.",
  "- **Three candidates**: may she VIEW it; she owns it, or a folder above it is shared with her, or with a group that she",
  "  is in, through nested groups. Three policies.",
  "- **Raw driver**: the statements below, written by hand, auto-commit in READ sessions with the database named, in one",
  "  process. Each of three rules is a separate statement, until one grants.",
  "- **Cerbos**: its server answers the same AuthZEN requests from the attributes that each of them carries, and",
  "  looks nothing up; through the gateway means through a gateway that the benchmark starts.",
  "- **Search**: all documents that a person may READ. **Degrees**: owners of a document, documents of a person.",
  "- **Freshness**: a relationship is captured or deleted by the API, then the decision that it changes is requested.",
  "- **Memory**: the peak of resident memory with 64 callers.",
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
  "- Method: after a warm-up the variants are interleaved in rounds; figures are medians over the rounds, ratios medians of the",
  "  ratios within them. The callers run in one process on the same machine and use a share of it.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}, Cerbos ${cerbosVersion}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`${command}\`.`,
];
