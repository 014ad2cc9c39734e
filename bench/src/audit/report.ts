/** The section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import { countText, type Line, targetsTable } from "../targets.ts";
import { plan } from "./plan.ts";

const { decisions } = plan;

/** The section, as the formatter leaves it. */
export const section = (lines: readonly Line[], machine: Machine, command: string): readonly string[] => [
  ...targetsTable(lines),
  "",
  "- **Decisions**: the requests of one rule of [Access](#access) through gateways that the benchmark starts, each with an access",
  "  service behind it, that differ only in `AUDIT_RECORDS`. A record is kept when it is in the project's stream in Redis, which",
  "  is what an answer waits for; the writer is another process, which runs on another core in a deployment. Here it is paused while",
  "  decisions are measured, except in the lines that say otherwise: there Neo4j, Redis, services, callers and writer share the cores.",
  "- **Writer**: that of the suite, started on a full stream: records as those decisions left them, read from Redis, put into",
  "  batches, signed with the platform's key and stored in Neo4j. Its processor time is that of all its threads.",
  "- **Export and verify**: the commands as a user starts them, the export through the gateway. A million records per minute are",
  "  16,667 per second, in two minutes 8,333.",
  `- Method: ${decisions.warmUpMs / 1000} s of warm-up for each variant, then ${decisions.rounds} rounds of ${decisions.roundMs / 1000} s for each, the variants interleaved; figures are`,
  `  medians over the rounds, ratios medians of the ratios within them. Backlogs are of ${countText(plan.backlog * plan.batch)} records at most; their figures are`,
  "  medians.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j},`,
  `  neo4j-driver ${machine.driver}; load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`${command}\`.`,
];
