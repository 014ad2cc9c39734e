/** The effect of an outage on callers: decisions with known results, and writes, at a fixed rate before, during and after it. */
import { setTimeout as delay } from "node:timers/promises";
import { asAgent } from "../../clients.ts";
import type { Environment } from "../../environment.ts";
import { sendAtRate } from "../../measurement/send-at-rate.ts";
import { author, decide, fill, foreign, mayRead, own } from "./authorship.ts";
import { type LoadProject, warm } from "./load.ts";
import { waitUntil } from "../wait-until.ts";

export const requestsPerSecond = 40;

/** A request without a response after this time counts as unanswered. */
const answeredWithinMs = 10_000;
/** Before `work`, and without a refused request after it. */
const calmMs = 5_000;
/** An outage that lasts longer is reported as it is then. */
const maxMs = 180_000;

export interface Outage {
  readonly sent: number;
  /** Requests that were not answered with 200: by operation and status, or the reason why there was no answer. */
  readonly refused: ReadonlyMap<string, number>;
  /** Milliseconds from the moment at which the first refused request was sent until the last of them was refused. */
  readonly ms: number;
  /** Milliseconds from the end of what caused the outage until the last request was refused. */
  readonly recoveryMs: number;
  /** Of these, requests whose answer blames the caller or the suite: a 4xx other than 429, and what is an error of the suite itself. */
  readonly misreported: number;
  /** Decisions that contradict the graph. */
  readonly wrong: number;
  /** Writes that were answered with 200. */
  readonly acknowledged: number;
  /** Those of them that the graph does not hold afterwards. */
  readonly lost: readonly string[];
}

/** The operations that requests are counted by. */
const paths = {
  evaluation: "/access/v1/evaluation",
  nodes: "/capture/v1/nodes",
  relationships: "/capture/v1/relationships",
} as const;

const reasonOf = (error: unknown): string => {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? String(error);
};

const document = (external_id: string): typeof own => ({ type: "Document", external_id });

/** Those of the documents that their author may not read. */
const missing = async (
  environment: Environment,
  project: LoadProject,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const decisions = await decide(environment, project, ids.map(document));
  return ids.filter((_, n) => decisions[n] !== true);
};

/** Counts the answers to one load of requests. */
class Requests {
  sent = 0;
  misreported = 0;
  wrong = 0;
  firstRefused = Infinity;
  lastRefused = 0;
  readonly refused = new Map<string, number>();
  readonly acknowledged: string[] = [];
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ base_url }: Environment, { apiKey }: LoadProject) {
    this.#baseUrl = base_url;
    this.#headers = { ...asAgent(apiKey), "content-type": "application/json" };
  }

  async decide(of: typeof own): Promise<void> {
    const answer = await this.#send("evaluation", mayRead(of));
    if (answer !== undefined && (answer as { decision?: unknown }).decision !== (of === own)) this.wrong++;
  }

  async write(id: string): Promise<void> {
    const written = document(id);
    if ((await this.#send("nodes", { nodes: [written] })) === undefined) return;
    const relationship = { source: author, type: "WROTE", target: written };
    if ((await this.#send("relationships", { relationships: [relationship] })) !== undefined)
      this.acknowledged.push(id);
  }

  /** @returns the body of a 200; anything else is counted as refused */
  async #send(operation: keyof typeof paths, body: object): Promise<unknown> {
    this.sent++;
    const began = performance.now();
    const request = { method: "POST", headers: this.#headers, body: JSON.stringify(body) };
    let reason: string;
    try {
      const signal = AbortSignal.timeout(answeredWithinMs);
      const answer = await fetch(`${this.#baseUrl}${paths[operation]}`, { ...request, signal });
      const text = await answer.text();
      if (answer.status === 200) return JSON.parse(text) as unknown;
      const code = answer.headers.get("x-error-code") ?? "";
      const isClientError = answer.status < 500 && answer.status !== 429;
      if (isClientError || code === "internal") this.misreported++;
      reason = `${answer.status} ${isClientError ? text : code}`.trimEnd();
    } catch (error) {
      reason = reasonOf(error);
    }
    this.#countRefused(`${operation} ${reason}`, began);
    return undefined;
  }

  #countRefused(kind: string, began: number): void {
    this.firstRefused = Math.min(this.firstRefused, began);
    this.lastRefused = performance.now();
    this.refused.set(kind, (this.refused.get(kind) ?? 0) + 1);
  }
}

/** A turn in four is a write of two requests. */
const turnsPerSecond = (requestsPerSecond * 4) / 5;

/**
 * Fills the project, sends requests at a fixed rate, does `work` meanwhile, and continues until none has been refused for
 * a while.
 *
 * @param project without a policy
 * @param work resolves when it has caused the outage; recovery is measured from then
 */
export const watchOutage = async (
  environment: Environment,
  project: LoadProject,
  work: () => Promise<unknown>,
): Promise<Outage> => {
  await fill(environment, project);
  // Effects of an earlier outage are not counted here; the policy takes effect meanwhile.
  await warm(environment, project);
  const requests = new Requests(environment, project);
  const over = new AbortController();
  const loading = sendAtRate(
    turnsPerSecond,
    () => over.signal.aborted,
    (turn) => (turn % 4 === 3 ? requests.write(`w${turn}`) : requests.decide(turn % 2 === 0 ? own : foreign)),
  );
  let worked = 0;
  try {
    await delay(calmMs);
    await work();
    worked = performance.now();
    const isCalm = (): boolean => performance.now() - Math.max(worked, requests.lastRefused) >= calmMs;
    await waitUntil(isCalm, maxMs);
  } finally {
    over.abort();
    await loading;
  }
  const { sent, refused, misreported, wrong, acknowledged, firstRefused, lastRefused } = requests;
  return {
    sent,
    refused,
    ms: Math.max(0, lastRefused - firstRefused),
    recoveryMs: Math.max(0, lastRefused - worked),
    misreported,
    wrong,
    acknowledged: acknowledged.length,
    lost: await missing(environment, project, acknowledged),
  };
};

export const countRefused = ({ refused }: Outage): number =>
  [...refused.values()].reduce((sum, count) => sum + count, 0);

/** No decision was wrong, no failure was answered as an error of the caller or the suite, and no acknowledged write is lost. */
export const isConsistent = ({
  misreported,
  wrong,
  lost,
}: Pick<Outage, "misreported" | "wrong" | "lost">): boolean =>
  misreported === 0 && wrong === 0 && lost.length === 0;

export const describeOutage = (outage: Outage): string => {
  const { sent, refused, ms, recoveryMs, misreported, wrong, acknowledged, lost } = outage;
  const seconds = (time: number): string => `${(time / 1_000).toFixed(1)} s`;
  const kinds = [...refused].map(([kind, count]) => `${count} × ${kind}`).join(", ");
  return [
    `${countRefused(outage)} of ${sent} requests at ${requestsPerSecond}/s refused within ${seconds(ms)}, the last ${seconds(recoveryMs)} after its cause${kinds && ` (${kinds})`}`,
    `${misreported} answered as an error of the caller or the suite`,
    `${wrong} answered wrongly`,
    `${lost.length} of ${acknowledged} acknowledged writes lost`,
  ].join(", ");
};
