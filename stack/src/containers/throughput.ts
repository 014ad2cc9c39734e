/** What containers cost: the suite on compose beside the same processes outside, asked in turn on one machine. */
import { setTimeout as delay } from "node:timers/promises";
import { step } from "../../launch/progress.mjs";
import { asAgent } from "../clients.ts";
import type { Environment } from "../environment.ts";
import type { Interruption } from "../interruption.ts";
import { type Evaluations, openEvaluations } from "../measurement/evaluations.ts";
import { inTurn, run } from "../measurement/measure.ts";
import type { Summary } from "../measurement/statistics.ts";
import { takeTurns, type Work } from "../measurement/turns.ts";
import { makeScratch } from "../scratch.ts";
import { withSession } from "../session.ts";
import { readStackSettings } from "../settings.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { type LoadProject, makeLoadProject, removeLoadProject } from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { fill, mayRead, own } from "../testing/suites/authorship.ts";
import { compose, docker } from "./compose.ts";
import type { ContainerSession } from "./session.ts";

/** Of the throughput outside, what is left inside at least. */
const leastShare = 0.8;
const callers = 64;
const plan = { rounds: 9, roundMs: 2_000, warmUpMs: 8_000 } as const;
/** Until what a round leaves behind, its audit records above all, is stored and costs the next one nothing. */
const settleMs = 1_000;
const pollMs = 100;
/** Of the gateway in its container. */
const port = 8080;

const body = JSON.stringify(mayRead(own));

/** True decisions over and over; one that is not ends the measurement. */
const decide =
  (evaluations: Evaluations, { apiKey }: LoadProject): Work =>
  async (ms) => {
    const questions = inTurn([{ expected: true }]);
    const round = await run(() => evaluations.evaluate(asAgent(apiKey), body), questions, callers, ms);
    await delay(settleMs);
    return round;
  };

/** The policy is known everywhere within two seconds. */
const takesEffect = async (evaluations: Evaluations, { apiKey }: LoadProject): Promise<void> => {
  for (const until = performance.now() + 20_000; performance.now() < until; await delay(pollMs))
    if (await evaluations.evaluate(asAgent(apiKey), body).catch(() => false)) return;
  throw new Error("the policy takes no effect");
};

/** A project of a suite, asked at each of its addresses by `work`. */
const withWays = async <T>(
  environment: Environment,
  addresses: readonly string[],
  work: (ways: readonly Work[]) => Promise<T>,
): Promise<T> => {
  const made = await makeLoadProject(environment, "throughput");
  const all = addresses.map((address) => openEvaluations(address, callers));
  try {
    await fill(environment, made);
    for (const each of all) await takesEffect(each, made);
    return await work(all.map((each) => decide(each, made)));
  } finally {
    await Promise.all(all.map((each) => each.close()));
    await removeLoadProject(environment, made);
  }
};

/** Where the gateway is on the network of its containers. */
const addressInside = async ({ project }: ContainerSession): Promise<string> => {
  const [gateway = ""] = await compose(project, "ps", "--quiet", "gateway");
  const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
  const [address = ""] = await docker(["inspect", "--format", format, gateway]);
  return `http://${address}:${port}`;
};

const perSecond = ({ throughput }: Summary): string => `${throughput.toFixed(0)}/s`;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/**
 * Starts the same services as processes with databases of their own, and lets both suites decide in turn. What is asked at the
 * published port from this machine goes through a process of the engine besides, which callers elsewhere do not meet.
 */
export const checkThroughput = async (
  session: ContainerSession,
  interruption: Interruption,
): Promise<Counts> => {
  const { environment } = session;
  const scratch = await makeScratch();
  const { home } = scratch;
  const settings = readStackSettings({});
  const options = {
    home,
    settings,
    port: undefined,
    fresh: false,
    purpose: "measure" as const,
    interruption,
  };
  const inside = [await addressInside(session), environment.base_url];
  try {
    return await withSession(options, async ({ startServices }) => {
      const outside = (await startServices()).environment;
      return withWays(environment, inside, async ([containers, published]) =>
        withWays(outside, [outside.base_url], async ([processes]) => {
          if (!containers || !published || !processes) throw new Error("a way for each address");
          const ways = { containers, published, processes };
          const turns = await step("decisions by turns", () => takeTurns(ways, plan));
          const share = turns.ratio("containers", "processes");
          return verdict(
            share >= leastShare,
            `decisions of ${callers} callers in containers ${perSecond(turns.summary("containers"))}, as processes ${perSecond(turns.summary("processes"))}: ${percent(share)}, at least ${percent(leastShare)}; at the published port ${percent(turns.ratio("published", "processes"))}`,
          );
        }),
      );
    });
  } finally {
    scratch.remove(false);
  }
};
