/** Decisions of another project while a simulation runs. */
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import type { Round } from "../../../stack/src/measurement/statistics.ts";
import { takeTurns } from "../../../stack/src/measurement/turns.ts";
import type { Client } from "../access/asks.ts";
import type { Question } from "../drive/questions.ts";
import { atLeast, atMost, type Line, msText, perSecondText } from "../targets.ts";
import type { Target } from "../settings.ts";
import { takeMost } from "./changes.ts";
import { targets, plan } from "./plan.ts";
import { simulate } from "./simulate.ts";

/** One simulation after the other until the signal. */
const keepSimulating = async (target: Target, projectId: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted)
    try {
      // Repeated by the client while one that was given up holds its place.
      await simulate(target, projectId, takeMost, 120_000, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
};

/** Works while one simulation after the other runs. */
const besideSimulations = async (
  target: Target,
  projectId: string,
  work: () => Promise<Round>,
): Promise<Round> => {
  const stopped = new AbortController();
  const simulations = keepSimulating(target, projectId, stopped.signal);
  const failed = simulations.then((): never => {
    throw new Error("no simulation runs any more");
  });
  try {
    return await Promise.race([work(), failed]);
  } finally {
    stopped.abort();
    await simulations;
  }
};

/** @param client of the other project */
export const measureBeside = async (
  target: Target,
  projectId: string,
  client: Client,
  questions: readonly Question[],
): Promise<readonly Line[]> => {
  const cycle = inTurn(questions);
  const decide = (ms: number) => run(client.evaluate, cycle, plan.beside.callers, ms);
  const turns = await takeTurns(
    { alone: decide, beside: (ms) => besideSimulations(target, projectId, () => decide(ms)) },
    plan.beside,
    "decisions of another project",
  );
  const [alone, beside] = [turns.summary("alone"), turns.summary("beside")];
  return [
    {
      what: `decisions of another project meanwhile, ${plan.beside.callers} callers`,
      figure: perSecondText(beside.throughput),
      ...atLeast(turns.ratio("beside", "alone"), targets.besideThroughput),
      baseline: `alone: ${perSecondText(alone.throughput)}`,
    },
    {
      what: "the same, p99",
      figure: msText(beside.p99),
      ...atMost(turns.ratio("beside", "alone", "p99"), targets.besideP99),
      baseline: `alone: ${msText(alone.p99)}`,
    },
  ];
};
