/** The figures as a table with their targets, and the section of `docs/benchmarks.md`. */
import type { Turns } from "../../../stack/src/measurement/turns.ts";
import type { Machine } from "../machine.ts";
import {
  atMost,
  type Line,
  targetsTable,
  msText as ms,
  perSecondText as perSecond,
  reported,
} from "../targets.ts";
import { targets, plan, sessionsPlan, type Way } from "./plan.ts";
import type { SessionsCost } from "./sessions.ts";

export interface Figures {
  readonly one: Turns<Way>;
  readonly many: Turns<Way>;
  readonly sessions: SessionsCost;
}

export const linesOf = ({ one, many, sessions }: Figures): readonly Line[] => {
  const latency = (way: "session" | "stateless", what: string, target: boolean): Line => {
    const ratio = one.ratio(way, "evaluation", "p50");
    return {
      what,
      figure: ms(one.summary(way).p50),
      baseline: `evaluation: ${ms(one.summary("evaluation").p50)}`,
      ...(target ? atMost(ratio, targets.tool) : reported(ratio)),
    };
  };
  const grown = sessions.mcp + sessions.redis;
  return [
    latency("session", "tool call in an open session (median)", true),
    latency("stateless", "tool call without a session (median)", false),
    {
      what: `tool calls in one session, ${plan.many} callers`,
      figure: perSecond(many.summary("session").throughput),
      baseline: `evaluation: ${perSecond(many.summary("evaluation").throughput)}`,
      ...reported(many.ratio("session", "evaluation")),
    },
    {
      what: `memory of ${sessions.opened.toLocaleString("en-US")} open sessions`,
      figure: `${grown.toFixed(1)} MB`,
      ratio: "",
      target: `under ${targets.sessionsMb} MB`,
      baseline: `mcp: ${sessions.mcp.toFixed(1)} MB; Redis: ${sessions.redis.toFixed(1)} MB`,
      met: grown < targets.sessionsMb,
    },
  ];
};

/** The section, as the formatter leaves it. */
export const section = (lines: readonly Line[], machine: Machine): readonly string[] => [
  ...targetsTable(lines),
  "",
  "- **Tool call**: `tools/call` of `authzen_evaluate` through the gateway, compared with the same request of the same user by",
  "  `POST /access/v1/evaluation` through the same gateway, with API key and bearer. Half the requests are granted; a wrong",
  "  answer ends the run. A tool call passes the gateway, the mcp service, Redis for the session, and the access service.",
  `- **Memory**: growth of the resident memory of the mcp service and of Redis while ${sessionsPlan.subjects} subjects open ${sessionsPlan.ofEach} sessions`,
  `  each, after ${sessionsPlan.warmUp} subjects whose sessions do not count.`,
  `- Method: 1 caller, ${plan.warmUpMs / 1000} s of warm-up for each variant, then ${plan.rounds} rounds of ${plan.roundMs / 1000} s for each, the variants interleaved; the same with`,
  `  ${plan.many} callers. Figures are medians over the rounds, ratios medians of the ratios within them.`,
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB; Node ${machine.node}, Neo4j ${machine.neo4j};`,
  `  load average before the run ${machine.load.toFixed(1)}.`,
  `- Run: ${machine.date}, \`npm run bench mcp\`.`,
];
