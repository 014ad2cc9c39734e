/** The figures as a table, and the section of `docs/benchmarks.md`. */
import { markdownTable } from "../table.ts";
import { countText, ratioText } from "../targets.ts";
import type { Machine } from "../machine.ts";
import { sizes } from "./data.ts";
import { handWritten } from "./driver.ts";
import { type Line, p50Target, targetRatio, plan, type Way } from "./plan.ts";

const names: Record<Way, string> = {
  driver: "raw driver",
  access: "access directly",
  gateway: "through the gateway",
};

/** Milliseconds in a column that names them. */
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

export const decisionTable = (lines: readonly Line[]): string[] =>
  markdownTable(
    [
      { title: "callers", align: "right" },
      { title: "way", align: "left" },
      { title: "p50 ms", align: "right" },
      { title: "p99 ms", align: "right" },
      { title: "decisions/s", align: "right" },
      { title: "p50 / driver", align: "right" },
      { title: "decisions/s / driver", align: "right" },
    ],
    lines.map((line) => [
      String(line.callers),
      names[line.way],
      ms(line.p50),
      ms(line.p99),
      countText(line.throughput),
      ratioText(line.p50Ratio),
      ratioText(line.throughputRatio),
    ]),
  );

/** One line: whether the target is met. */
export const verdict = (lines: readonly Line[]): string => {
  const found = targetRatio(lines);
  const outcome = found <= p50Target ? "met" : "not met";
  return `Target: p50 through the gateway at 1 caller at most ${p50Target} times the raw driver's. It is ${found.toFixed(2)} times: the target is ${outcome}.`;
};

/** The section, as the formatter leaves it. */
export const section = (
  lines: readonly Line[],
  machine: Machine,
  relationships: number,
): readonly string[] => [
  ...decisionTable(lines),
  "",
  verdict(lines),
  "",
  "A decision asks whether a person may read a document. The rule: she owns it, and its level is within her",
  "clearance. Half of the requests are granted, a quarter are denied for the owner, a quarter for the level; each",
  "answer is compared with the known result, and a wrong one ends the run.",
  "",
  `- **Raw driver**: the query below, written by hand, auto-commit in a READ session with the database named.`,
  "- **Access directly**: `POST /access/v1/evaluation` to the service, with the internal context that the gateway",
  "  would have signed.",
  "- **Through the gateway**: the same request with an API key, as any client sends it.",
  "",
  "```cypher",
  handWritten("p1"),
  "```",
  "",
  "The service batches decisions that wait at the same moment into one statement, so with many callers it is faster than",
  "the driver, which sends each separately. The callers run in one process on the same machine and use a share of it.",
  "",
  `- Data: ${countText(sizes.persons)} persons, ${countText(sizes.documents)} documents, ${sizes.departments} departments,`,
  `  ${countText(relationships)} relationships, captured through the API; ${countText(sizes.questions)} questions, seed ${plan.seed}.`,
  `- Method: ${plan.warmUpMs / 1000} s of warm-up for each variant and number of callers, then ${plan.rounds} rounds of ${plan.roundMs / 1000} s for each, the variants`,
  "  interleaved; figures are medians over the rounds.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench decisions\`.`,
];
