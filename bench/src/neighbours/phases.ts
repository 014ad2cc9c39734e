/** The light tenant alone and beside each load, the phases taking turns. */
import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "../../../stack/src/measurement/statistics.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Light } from "./light.ts";
import type { LoadName } from "./load-names.ts";
import { type Counts, describeCounts, type Load } from "./loads.ts";
import { addOutcomes, noOutcomes, type Outcomes, runOpenLoop } from "./open-loop.ts";
import { type Kind, kinds, plan, rates } from "./plan.ts";

export type ByKind = Readonly<Record<Kind, Outcomes>>;

const byKind = (): ByKind => ({ decision: noOutcomes(), query: noOutcomes(), capture: noOutcomes() });

export interface Beside {
  readonly outcomes: ByKind;
  /** What the suite answered to the load. */
  readonly counts: Counts;
}

export interface Measured {
  /** Over all phases without a load. */
  readonly alone: ByKind;
  readonly beside: ReadonlyMap<LoadName, Beside>;
}

const describe = (outcomes: ByKind): string =>
  kinds
    .map((kind) => {
      const { latencies, wrong, missing } = outcomes[kind];
      const lost = [...missing.values()].reduce((sum, count) => sum + count, wrong);
      const sorted = latencies.toSorted((a, b) => a - b);
      const figures =
        sorted.length === 0
          ? "no answer"
          : `${percentile(sorted, 0.5).toFixed(1)}/${percentile(sorted, 0.99).toFixed(1)} ms`;
      return `${kind} ${figures}${lost > 0 ? `, ${lost} lost` : ""}`;
    })
    .join("; ");

/** @param seconds of one phase */
export const measurePhases = async (
  light: Light,
  loads: ReadonlyMap<LoadName, Load>,
  seconds: number,
): Promise<Measured> => {
  let from = 0;
  const phase = async (ms: number, sum?: ByKind): Promise<void> => {
    from += Math.ceil((ms / 1_000) * rates.decision);
    const found = await Promise.all(
      kinds.map((kind) => runOpenLoop(light.asks[kind], rates[kind], ms, from)),
    );
    const outcomes = { ...byKind(), ...Object.fromEntries(kinds.map((kind, at) => [kind, found[at]])) };
    if (sum !== undefined) for (const kind of kinds) addOutcomes(sum[kind], outcomes[kind]);
    if (sum !== undefined) say(`    ${describe(outcomes)}`);
  };
  const phaseBeside = async (load: Load, ms: number, sum?: ByKind): Promise<Counts> => {
    const stop = new AbortController();
    const running = load(stop.signal);
    try {
      await phase(ms, sum);
    } finally {
      stop.abort();
    }
    const counts = await running;
    if (sum !== undefined) say(`    heavy tenant: ${describeCounts(counts)}`);
    await delay(plan.settleMs);
    return counts;
  };
  const alone = byKind();
  const beside = new Map<LoadName, Beside>();
  await phase(plan.warmUpMs);
  for (const [name, load] of loads) {
    say(`warm-up beside ${name}`);
    await phaseBeside(load, plan.loadWarmUpMs);
  }
  for (let round = 0; round < plan.rounds; round++)
    for (const [name, load] of loads) {
      const sum = beside.get(name) ?? { outcomes: byKind(), counts: new Map<string, number>() };
      beside.set(name, sum);
      say(`round ${round + 1} of ${plan.rounds}: alone, then beside ${name}`);
      await phase(seconds * 1_000, alone);
      for (const [status, count] of await phaseBeside(load, seconds * 1_000, sum.outcomes))
        sum.counts.set(status, (sum.counts.get(status) ?? 0) + count);
    }
  return { alone, beside };
};
