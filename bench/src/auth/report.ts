/** The figures as a table with their targets, and the section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import {
  atLeast,
  atMost,
  type Line,
  targetsTable,
  msText as ms,
  perSecondText as perSecond,
  ratioText,
} from "../targets.ts";
import type { ListFigures } from "./list.ts";
import { listPlan, targets, plan } from "./plan.ts";
import type { Throughput } from "./throughput.ts";
import type { VerificationFigures } from "./verification.ts";

export interface Figures {
  readonly throughput: Throughput;
  readonly verification: VerificationFigures;
  readonly list: ListFigures;
}

export const linesOf = ({ throughput, verification, list }: Figures): readonly Line[] => {
  const key = throughput.ratio("key", "referenceProxy");
  const bearer = throughput.ratio("bearer", "referenceProxyAccess");
  return [
    {
      what: "requests with an API key",
      figure: perSecond(throughput.summary("key").throughput),
      baseline: `reference proxy: ${perSecond(throughput.summary("referenceProxy").throughput)}; no proxy: ${perSecond(throughput.summary("cheap").throughput)}`,
      ...atLeast(key, targets.key),
    },
    {
      what: "requests with an API key and a bearer",
      figure: perSecond(throughput.summary("bearer").throughput),
      baseline: `reference proxy: ${perSecond(throughput.summary("referenceProxyAccess").throughput)}; no proxy: ${perSecond(throughput.summary("access").throughput)}`,
      ...atLeast(bearer, targets.bearer),
    },
    {
      what: "bearer of RS256, never seen before",
      figure: ms(verification.introspection),
      baseline: `jose.jwtVerify: ${ms(verification.bare)}`,
      ...atMost(verification.ratio, targets.verification),
    },
    {
      what: `list of ${listPlan.policies.toLocaleString("en-US")} policies`,
      figure: ms(list.list),
      ratio: ratioText(list.list / list.rawDriver),
      target: `under ${targets.listMs} ms`,
      baseline: `raw driver: ${ms(list.rawDriver)}`,
      met: list.list < targets.listMs,
    },
  ];
};

/** The section, as the formatter leaves it. */
export const section = (
  lines: readonly Line[],
  { throughput }: Figures,
  machine: Machine,
): readonly string[] => [
  ...targetsTable(lines),
  "",
  "- **Reference proxy**: Express and http-proxy-middleware on keep-alive connections, in a separate process, without any",
  "  authentication, limit, breaker or log line.",
  "- **Requests with an API key**: a gateway that the benchmark starts and the reference proxy, both in front of a server that answers",
  "  at once, so that no database is measured. The key comes from the gateway's cache.",
  `- **With a bearer**: the suite's gateway in front of the access service, which validates each of ${plan.bearers} bearers that it has seen;`,
  "  a forged one has to be refused before the measurement starts. The reference proxy is in front of the same service and sends the",
  "  same request without key and bearer; each request carries the internal context that the service requires,",
  "  which the service caches. So both sides do the same work except for authentication. No policy applies to the",
  "  request, so that the graph is not queried.",
  "- **No proxy**: the callers call the service itself: the upper bound. They run in one process on the",
  "  same machine and use a share of it.",
  "- **Bearer of RS256**: introspection by a registered key that has been imported, with every check and the mapped",
  "  claims, compared with `jwtVerify` of the same tokens with the same key, one after the other.",
  "- **List**: `GET /configs/v1/authorization-policies` of one project without texts, through the gateway, compared with the same",
  "  records read and sorted by one statement.",
  `- Median latencies: API key ${ms(throughput.summary("key").p50)}, reference proxy ${ms(throughput.summary("referenceProxy").p50)}; with a bearer ${ms(throughput.summary("bearer").p50)}, reference proxy ${ms(throughput.summary("referenceProxyAccess").p50)}.`,
  `- Method: ${plan.callers} callers, ${plan.warmUpMs / 1000} s of warm-up for each variant, then ${plan.rounds} rounds of ${plan.roundMs / 1000} s for each, the variants interleaved; figures are`,
  "  medians over the rounds, ratios medians of the ratios within them.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j};`,
  `  load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench auth\`.`,
];
