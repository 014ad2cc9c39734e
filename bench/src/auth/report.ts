/** The figures as a table with their marks, and the section of `docs/benchmarks.md`. */
import type { Machine } from "../machine.ts";
import { markdownTable } from "../table.ts";
import type { ListFigures } from "./list.ts";
import { listPlan, marks, plan } from "./plan.ts";
import type { Throughput } from "./throughput.ts";
import type { VerificationFigures } from "./verification.ts";

export interface Figures {
  readonly throughput: Throughput;
  readonly verification: VerificationFigures;
  readonly list: ListFigures;
}

interface Line {
  readonly what: string;
  readonly figure: string;
  readonly ratio: string;
  readonly mark: string;
  readonly baseline: string;
  readonly holds: boolean;
}

const ms = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
const ratioText = (value: number): string => `${value.toFixed(2)} x`;
const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en-US")}/s`;

export const linesOf = ({ throughput, verification, list }: Figures): readonly Line[] => {
  const { ways } = throughput;
  const key = throughput.ratio("key", "barePair");
  const bearer = throughput.ratio("bearer", "barePairAccess");
  return [
    {
      what: "requests with an API key",
      figure: perSecond(ways.key.throughput),
      ratio: ratioText(key),
      mark: `at least ${ratioText(marks.key)}`,
      baseline: `bare pair: ${perSecond(ways.barePair.throughput)}; no proxy: ${perSecond(ways.cheap.throughput)}`,
      holds: key >= marks.key,
    },
    {
      what: "requests with an API key and a bearer",
      figure: perSecond(ways.bearer.throughput),
      ratio: ratioText(bearer),
      mark: `at least ${ratioText(marks.bearer)}`,
      baseline: `bare pair: ${perSecond(ways.barePairAccess.throughput)}; no proxy: ${perSecond(ways.access.throughput)}`,
      holds: bearer >= marks.bearer,
    },
    {
      what: "bearer of RS256, never seen before",
      figure: ms(verification.introspection),
      ratio: ratioText(verification.ratio),
      mark: `at most ${ratioText(marks.verification)}`,
      baseline: `jose.jwtVerify: ${ms(verification.bare)}`,
      holds: verification.ratio <= marks.verification,
    },
    {
      what: `list of ${listPlan.policies.toLocaleString("en-US")} policies`,
      figure: ms(list.list),
      ratio: ratioText(list.list / list.bare),
      mark: `under ${marks.listMs} ms`,
      baseline: `bare driver: ${ms(list.bare)}`,
      holds: list.list < marks.listMs,
    },
  ];
};

export const table = (lines: readonly Line[]): string[] =>
  markdownTable(
    [
      { title: "what", align: "left" },
      { title: "figure", align: "right" },
      { title: "/ baseline", align: "right" },
      { title: "mark", align: "right" },
      { title: "mark holds", align: "left" },
      { title: "beside it", align: "left" },
    ],
    lines.map(({ what, figure, ratio, mark, holds, baseline }) => [
      what,
      figure,
      ratio,
      mark,
      holds ? "yes" : "no",
      baseline,
    ]),
  );

/** The section, as the formatter leaves it. */
export const section = (
  lines: readonly Line[],
  { throughput }: Figures,
  machine: Machine,
): readonly string[] => [
  ...table(lines),
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
  `- Median latencies: API key ${ms(throughput.ways.key.p50)}, bare pair ${ms(throughput.ways.barePair.p50)}; with a bearer ${ms(throughput.ways.bearer.p50)}, bare pair ${ms(throughput.ways.barePairAccess.p50)}.`,
  `- Method: ${plan.callers} callers, ${plan.warmUpMs / 1000} s of warm-up for each way, then ${plan.rounds} rounds of ${plan.roundMs / 1000} s for each, the ways taking turns; figures are`,
  "  medians over the rounds, ratios medians of the ratios within them.",
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j};`,
  `  load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench auth\`.`,
];
