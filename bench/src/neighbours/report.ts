/** The figures as a table with their targets, and the section of `docs/benchmarks.md`. */
import { percentile } from "../../../stack/src/measurement/statistics.ts";
import type { Machine } from "../machine.ts";
import { atMost, type Line, targetsTable, msText } from "../targets.ts";
import { describeCounts } from "./loads.ts";
import type { Outcomes } from "./open-loop.ts";
import type { Measured } from "./phases.ts";
import { aloneTarget, kinds, targets, plan, rates, sizes } from "./plan.ts";

const sorted = ({ latencies }: Outcomes): readonly number[] => latencies.toSorted((a, b) => a - b);

const describeMissing = ({ wrong, missing }: Outcomes): string =>
  [
    ...(wrong > 0 ? [`${wrong} wrong`] : []),
    ...[...missing].map(([status, count]) => `${count} times ${status}`),
  ].join(", ");

const lostOf = ({ wrong, missing }: Outcomes): number =>
  [...missing.values()].reduce((sum, count) => sum + count, wrong);

/** Lines of one kind of request beside one load; without an answer there is no figure. */
const latencyLines = (
  what: string,
  kind: (typeof kinds)[number],
  alone: Outcomes,
  beside: Outcomes,
): Line[] =>
  (["p50", "p99"] as const).map((figure) => {
    const share = figure === "p50" ? 0.5 : 0.99;
    const before = percentile(sorted(alone), share);
    const after = beside.latencies.length === 0 ? Infinity : percentile(sorted(beside), share);
    return {
      what: `${what}: ${kind}, ${figure}`,
      figure: msText(after),
      ...atMost(after / before, targets[kind][figure]),
      baseline: `alone: ${msText(before)}`,
    };
  });

export const linesOf = ({ alone, beside }: Measured): readonly Line[] =>
  [...beside].flatMap(([name, { outcomes, counts }]) => {
    const lost = kinds.reduce((sum, kind) => sum + lostOf(outcomes[kind]), 0);
    const missing = kinds.map((kind) => describeMissing(outcomes[kind])).filter((text) => text !== "");
    return [
      ...kinds.flatMap((kind) => latencyLines(name, kind, alone[kind], outcomes[kind])),
      {
        what: `${name}: wrong and missing answers`,
        figure: missing.length === 0 ? "0" : missing.join("; "),
        ratio: "",
        target: "none",
        met: lost === 0,
        baseline: `heavy tenant: ${describeCounts(counts)}`,
      },
    ];
  });

/** The section, as the formatter leaves it. */
export const section = (lines: readonly Line[], machine: Machine, seconds: number): readonly string[] => [
  ...targetsTable(lines),
  "",
  `A tenant that sends ${rates.decision} decisions, ${rates.query} queries and ${rates.capture} captures of ten rows per second, at a constant rate whatever happens to`,
  "earlier requests, alone and next to a tenant that sends as much as the API accepts. Latencies count from the moment at",
  "which a request was due; each answer is compared with the known result.",
  "",
  `- **slow-policy**: ${sizes.slowCallers} callers with decisions and searches of a policy that the time limit ends. **brief-queries**: ${sizes.queries} callers`,
  `  with queries of about a hundredth of a second. **heavy-queries**: the same with queries of about a second. **memory-queries**: ${sizes.memoryQueries} callers with queries that need more memory than a transaction may`,
  `  have. **pipelined-searches**: ${sizes.pipelined} slow searches at once on one connection. **imports**: ${sizes.imports} at once of ${sizes.importRows.toLocaleString("en-US")} rows each.`,
  `  **invalid-tokens**: ${sizes.tokenCallers} callers with tokens that have a wrong signature, each another one. **audit-records**: ${sizes.auditCallers} callers with evaluations whose`,
  "  parameters have 1.8 MB. **everything**: all of them at once.",
  `- **Heavy tenant alone**: decisions through a gateway and an access service that the benchmark starts, with the limits of the`,
  `  suite and without them; at least ${aloneTarget} of the throughput is required.`,
  `- Method: ${plan.warmUpMs / 1_000} s of warm-up, ${plan.loadWarmUpMs / 1_000} s with each load, then ${plan.rounds} rounds in which each load has a phase of ${seconds} s after one of ${seconds} s without a load. Figures`,
  "  are over all phases of a kind, ratios to all phases without a load. Both tenants, the services and the stores share the cores.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j};`,
  `  load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench neighbours\`.`,
];
