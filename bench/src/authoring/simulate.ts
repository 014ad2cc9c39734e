/** Simulations through the gateway, line by line. */
import type { Simulation } from "@ikg/contracts";
import type { Target } from "../settings.ts";
import type { Change } from "./changes.ts";

export interface Simulated {
  readonly answer: Simulation;
  /** Until the first line with counts and examples. */
  readonly firstMs: number | undefined;
  /** Until the first line in which every pair that differs is known. */
  readonly exactMs: number | undefined;
}

/** Another simulation of the project, or too many of others, runs at the moment. */
export class Busy extends Error {}

type Question = Simulation["questions"][number];

const isTelling = ({ gained, lost }: Question): boolean =>
  gained.examples.length + lost.examples.length > 0 && gained.count + lost.count > 0;

/** Reads lines as they come. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

/** @param budgetMs how long pairs are looked for, at most */
export const simulate = async (
  target: Target,
  projectId: string,
  changes: readonly Change[],
  budgetMs: number,
  signal?: AbortSignal,
): Promise<Simulated> => {
  const started = performance.now();
  const response = await fetch(`${target.gateway}/access/v1/simulations`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${target.serviceAccountToken}`,
      "content-type": "application/json",
      accept: "application/x-ndjson",
    },
    body: JSON.stringify({ project_id: projectId, changes, budget_ms: budgetMs, examples: 20 }),
    signal: signal ?? null,
  });
  if (response.status === 429) throw new Busy();
  if (!response.ok || response.body === null)
    throw new Error(`a simulation answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  let answer: Simulation | undefined;
  let [firstMs, exactMs]: (number | undefined)[] = [];
  for await (const line of linesOf(response.body)) {
    answer = JSON.parse(line) as Simulation; // as the contract has it
    if (answer.questions.some(isTelling)) firstMs ??= performance.now() - started;
    if (answer.complete) exactMs ??= performance.now() - started;
  }
  if (answer === undefined) throw new Error("a simulation answered nothing");
  return { answer, firstMs, exactMs };
};
