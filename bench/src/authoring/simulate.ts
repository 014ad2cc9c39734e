/** Simulations through the gateway, line by line. */
import type { Simulation } from "@ikg/client";
import { openAdmin } from "../clients.ts";
import type { Target } from "../settings.ts";
import type { Change } from "./changes.ts";

export interface Simulated {
  readonly answer: Simulation;
  /** Until the first line with counts and examples. */
  readonly firstMs: number | undefined;
  /** Until the first line in which every pair that differs is known. */
  readonly exactMs: number | undefined;
}

/** Longer than any budget. */
const timeoutMs = 300_000;

type Question = Simulation["questions"][number];

const isTelling = ({ gained, lost }: Question): boolean =>
  gained.examples.length + lost.examples.length > 0 && gained.count + lost.count > 0;

/** @param budgetMs how long pairs are looked for, at most */
export const simulate = async (
  target: Target,
  projectId: string,
  changes: readonly Change[],
  budgetMs: number,
  signal?: AbortSignal,
): Promise<Simulated> => {
  const started = performance.now();
  const fields = { changes, budget_ms: budgetMs, examples: 20 };
  let answer: Simulation | undefined;
  let [firstMs, exactMs]: (number | undefined)[] = [];
  for await (const line of openAdmin(target, projectId).simulations.progress(fields, { signal, timeoutMs })) {
    answer = line;
    if (line.questions.some(isTelling)) firstMs ??= performance.now() - started;
    if (line.complete) exactMs ??= performance.now() - started;
  }
  if (answer === undefined) throw new Error("a simulation answered nothing");
  return { answer, firstMs, exactMs };
};
