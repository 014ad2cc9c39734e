/** The figures as a table with their marks, and the section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import {
  atLeast,
  atMost,
  type Line,
  marksTable,
  msText as ms,
  perSecondText as perSecond,
  ratioText,
} from "../marks.ts";
import type { ListFigures } from "./list.ts";
import { listPlan, marks, plan } from "./plan.ts";
import type { Throughput } from "./throughput.ts";
import type { VerificationFigures } from "./verification.ts";

export interface Figures {
  readonly throughput: Throughput;
  readonly verification: VerificationFigures;
  readonly list: ListFigures;
}

export const linesOf = ({ throughput, verification, list }: Figures): readonly Line[] => {
  const key = throughput.ratio("key", "barePair");
  const bearer = throughput.ratio("bearer", "barePairAccess");
  return [
    {
      what: "requests with an API key",
      figure: perSecond(throughput.summary("key").throughput),
      baseline: `bare pair: ${perSecond(throughput.summary("barePair").throughput)}; no proxy: ${perSecond(throughput.summary("cheap").throughput)}`,
      ...atLeast(key, marks.key),
    },
    {
      what: "requests with an API key and a bearer",
      figure: perSecond(throughput.summary("bearer").throughput),
      baseline: `bare pair: ${perSecond(throughput.summary("barePairAccess").throughput)}; no proxy: ${perSecond(throughput.summary("access").throughput)}`,
      ...atLeast(bearer, marks.bearer),
    },
    {
      what: "bearer of RS256, never seen before",
      figure: ms(verification.introspection),
      baseline: `jose.jwtVerify: ${ms(verification.bare)}`,
      ...atMost(verification.ratio, marks.verification),
    },
    {
      what: `list of ${listPlan.policies.toLocaleString("en-US")} policies`,
      figure: ms(list.list),
      ratio: ratioText(list.list / list.bare),
      mark: `under ${marks.listMs} ms`,
      baseline: `raw driver: ${ms(list.bare)}`,
      holds: list.list < marks.listMs,
    },
  ];
};

/** The section, as the formatter leaves it. */
export const section = (
  lines: readonly Line[],
  { throughput }: Figures,
  machine: Machine,
): readonly string[] => [
  ...marksTable(lines),
  "",
  "- **Bare pair**: Express and http-proxy-middleware on connections that are kept, in a process of its own, without any",
  "  authentication, limit, breaker or log line.",
  "- **Requests with an API key**: a gateway of the measurement's own and the bare pair, both before a server that answers",
  "  at once, so that the two are compared and no database. The key comes from the gateway's cache.",
  `- **With a bearer**: the suite's gateway before the access service, which judges each of ${plan.bearers} bearers that it has seen;`,
  "  a forged one has to be refused before anything is measured. The bare pair stands before the same service and asks the",
  "  same question without key and bearer; for the service to answer at all, each request brings the internal context,",
  "  which the service remembers. So both sides do the same work but for authentication. No policy concerns the",
  "  question, so that the graph is not asked.",
  "- **No proxy**: the callers before the service itself: what they and it can do at most. They run in one process on the",
  "  same machine and take their share of it.",
  "- **Bearer of RS256**: introspection by a registered key that has been imported, with every check and the mapped",
  "  claims, beside `jwtVerify` of the same tokens with the same key, one after the other.",
  "- **List**: `GET /configs/v1/authorization-policies` of one project without texts, through the gateway, beside the same",
  "  records read and sorted by one statement.",
  `- Median latencies: API key ${ms(throughput.summary("key").p50)}, bare pair ${ms(throughput.summary("barePair").p50)}; with a bearer ${ms(throughput.summary("bearer").p50)}, bare pair ${ms(throughput.summary("barePairAccess").p50)}.`,
  `- Method: ${plan.callers} callers, ${plan.warmUpMs / 1000} s of warm-up for each way, then ${plan.rounds} rounds of ${plan.roundMs / 1000} s for each, the ways taking turns; figures are`,
  "  medians over the rounds, ratios medians of the ratios within them.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j};`,
  `  load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench auth\`.`,
];
