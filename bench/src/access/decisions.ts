/** Decisions of one rule: the service directly and through the gateway, compared with the raw driver and Cerbos. */
import { type Ask, inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Turns, type Work } from "../../../stack/src/measurement/turns.ts";
import type { Question } from "../drive/questions.ts";
import { atLeast, atMost, type Line, msText, perSecondText, reported } from "../targets.ts";
import { mostOf, watchMemory } from "../memory.ts";
import { askDriver } from "./asks.ts";
import type { Bench } from "./bench.ts";
import { withAttributes } from "./cerbos.ts";
import { targets, mostCallers, plan } from "./plan.ts";

const aloneWays = ["driver", "access", "gateway"] as const;
const ways = [...aloneWays, "cerbos", "cerbosGateway"] as const;

type Way = (typeof ways)[number];

/** Where Cerbos is, and a gateway before it. */
export interface CerbosAddresses {
  readonly direct: string;
  readonly gateway: string;
}

const aloneLines = (turns: Turns<(typeof aloneWays)[number]>): readonly Line[] => {
  const baseline = `raw driver: ${msText(turns.summary("driver").p50)}`;
  return [
    {
      what: "decision, service directly, 1 caller, p50",
      figure: msText(turns.summary("access").p50),
      ...atMost(turns.ratio("access", "driver", "p50"), targets.aloneP50),
      baseline,
    },
    {
      what: "decision, through the gateway, 1 caller, p50",
      figure: msText(turns.summary("gateway").p50),
      ...reported(turns.ratio("gateway", "driver", "p50")),
      baseline,
    },
  ];
};

const linesOf = (callers: number, turns: Turns<Way>): readonly Line[] => {
  const rate = (way: Way): string => perSecondText(turns.summary(way).throughput);
  const baseline = `raw driver: ${rate("driver")}`;
  const gateway = rate("gateway");
  return [
    {
      what: `decisions, service directly, ${callers} callers`,
      figure: rate("access"),
      ...atLeast(turns.ratio("access", "driver"), targets.direct.get(callers) ?? 0),
      baseline,
    },
    {
      what: `decisions, through the gateway, ${callers} callers`,
      figure: gateway,
      ...atLeast(turns.ratio("gateway", "driver"), targets.gateway.get(callers) ?? 0),
      baseline,
    },
    {
      what: `- and Cerbos through the same gateway`,
      figure: gateway,
      ...atLeast(turns.ratio("gateway", "cerbosGateway"), targets.cerbos),
      baseline: `Cerbos through the gateway: ${rate("cerbosGateway")}`,
    },
    {
      what: `- and Cerbos directly`,
      figure: gateway,
      ...reported(turns.ratio("gateway", "cerbos")),
      baseline: `Cerbos: ${rate("cerbos")}`,
    },
  ];
};

/** Every caller count by itself; the memory of the processes is that of the most callers. */
export const measureDecisions = async (
  { target, driver, clients, project }: Bench,
  questions: readonly Question[],
  addresses: CerbosAddresses,
): Promise<{
  readonly lines: readonly Line[];
  readonly memory: Readonly<Record<"access" | "gateway", number>>;
}> => {
  const asks: Record<Way, Ask<Question>> = {
    driver: askDriver(driver, project.pk, "READ"),
    access: (await clients.access(project)).evaluate,
    gateway: clients.gateway(project).evaluate,
    cerbos: clients.at(addresses.direct, {}).evaluate,
    cerbosGateway: clients.at(addresses.gateway, { "x-svc-clientkey": project.agent.apiKey }).evaluate,
  };
  const cycle = inTurn(questions);
  const cycleWithAttributes = inTurn(questions.map(withAttributes));
  const work =
    (way: Way, callers: number): Work =>
    (ms) =>
      run(asks[way], way.startsWith("cerbos") ? cycleWithAttributes : cycle, callers, ms);
  const turnsOf = <W extends Way>(of: readonly W[], callers: number): Promise<Turns<W>> => {
    const works = Object.fromEntries(of.map((way) => [way, work(way, callers)])) as Record<W, Work>; // every way
    return takeTurns(works, plan.decisions, `decisions of ${callers} callers`);
  };
  const lines = [...aloneLines(await turnsOf(aloneWays, 1)), ...linesOf(16, await turnsOf(ways, 16))];
  const { result, samples } = await watchMemory(target, ["access", "gateway"], () =>
    turnsOf(ways, mostCallers),
  );
  return {
    lines: [...lines, ...linesOf(mostCallers, result)],
    memory: { access: mostOf(samples, "access"), gateway: mostOf(samples, "gateway") },
  };
};
