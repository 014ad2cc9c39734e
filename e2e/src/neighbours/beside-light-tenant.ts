import { setTimeout as pause } from "node:timers/promises";
import { long } from "../long.ts";
import { askCapture, askDecision, askQuery } from "./light-requests.ts";
import type { LightTenant } from "./light-tenant.ts";
import { type Ask, type Outcome, runOpenLoop } from "./open-loop.ts";

type Kind = "decision" | "query" | "capture";

interface Load {
  readonly ask: (tenant: LightTenant) => Ask;
  readonly perSecond: number;
  /** Milliseconds that 99 of 100 answers may take. Test machines are busy: ratios are measured by the benchmark. */
  readonly p99: number;
}

const loads: Readonly<Record<Kind, Load>> = {
  decision: { ask: askDecision, perSecond: 20, p99: 4_000 },
  query: { ask: askQuery, perSecond: 5, p99: 8_000 },
  capture: { ask: askCapture, perSecond: 2, p99: 8_000 },
};

/** Requests of each kind before anything is measured, one at a time and then at once: each number of rows has a plan of its own. */
const warmUpRequests = { oneByOne: long(3, 12), atOnce: 12 };

/** Lets the database plan what the light tenant asks: how long that takes is no effect of a neighbour. */
export const warmUp = async (tenant: LightTenant): Promise<void> => {
  for (const { ask } of Object.values(loads)) {
    const send = ask(tenant);
    for (let number = 0; number < warmUpRequests.oneByOne; number++) await send(number);
    await Promise.all(Array.from({ length: warmUpRequests.atOnce }, (_, number) => send(number)));
  }
};

/** The light tenant works alone for so long before and after the heavy load, in milliseconds. */
const marginMs = 500;
/** A heavy load that is refused at once is followed for so long. */
const leastMs = 3_000;

const p99Of = (outcomes: readonly Outcome[]): number => {
  const sorted = outcomes.map(({ latency }) => latency).toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Infinity;
};

/** What is wrong with the answers of one kind: statuses other than 200, wrong answers, too late ones. */
const faultsOf = (kind: Kind, outcomes: readonly Outcome[]): readonly string[] => {
  const failed = outcomes.filter(({ status }) => status !== 200);
  const wrong = outcomes.filter(({ status, correct }) => status === 200 && !correct);
  const p99 = p99Of(outcomes);
  const statuses = [...new Set(failed.map(({ status }) => status ?? "no answer"))].join(", ");
  return [
    ...(failed.length > 0 ? [`${kind}: ${failed.length} of ${outcomes.length} answered ${statuses}`] : []),
    ...(wrong.length > 0 ? [`${kind}: ${wrong.length} of ${outcomes.length} wrong`] : []),
    ...(p99 > loads[kind].p99 ? [`${kind}: p99 ${Math.round(p99)} ms, at most ${loads[kind].p99} ms`] : []),
  ];
};

/** One line of figures in the output of a test. */
const describe = (kind: Kind, outcomes: readonly Outcome[]): string => {
  const slowest = Math.max(...outcomes.map(({ latency }) => latency));
  return `${kind} ${outcomes.length} asked, p99 ${Math.round(p99Of(outcomes))} ms, slowest ${Math.round(slowest)} ms`;
};

/** A heavy load's result, and what the light tenant met meanwhile. */
export interface Beside<T> {
  readonly result: T;
  /** Empty when every answer was right and in time. */
  readonly faults: readonly string[];
}

/**
 * Runs a heavy load beside the light tenant's 20 decisions, 5 queries and 2 captures of ten rows a second.
 *
 * @param heavy ends by itself
 */
export const besideLightTenant = async <T>(
  tenant: LightTenant,
  heavy: () => Promise<T>,
): Promise<Beside<T>> => {
  const stop = new AbortController();
  const kinds = Object.keys(loads) as Kind[]; // the keys of the record
  const running = kinds.map((kind) =>
    runOpenLoop(loads[kind].perSecond, loads[kind].ask(tenant), stop.signal),
  );
  const least = pause(leastMs);
  await pause(marginMs);
  try {
    const result = await heavy();
    await pause(marginMs);
    await least;
    stop.abort();
    const all = await Promise.all(running);
    const summaries = kinds.map((kind, at) => describe(kind, all[at] ?? []));
    process.stdout.write(`light tenant: ${summaries.join("; ")}\n`);
    return { result, faults: kinds.flatMap((kind, at) => faultsOf(kind, all[at] ?? [])) };
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
};
