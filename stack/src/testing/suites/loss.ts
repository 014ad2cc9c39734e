/** A suite is lost and restored from a backup: it decides as before, and its audit chain continues and verifies. */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../../launch/refusal.mjs";
import { asAgent, call } from "../../api.ts";
import type { Environment } from "../../environment.ts";
import { fill, foreign, mayRead, own } from "./authorship.ts";
import { add, type Counts } from "../runner/counts.ts";
import { type LoadProject, makeLoadProject, removeLoadProject } from "./load.ts";
import { verdict } from "./verdict.ts";
import { verifyChain } from "./verify-chain.ts";

/** The audit service signs what the questions have left within seconds. */
const signedWithinMs = 60_000;
const pauseMs = 1_000;

/** Whether the author may read what is theirs, and what is not. */
const decide = ({ base_url }: Environment, { apiKey }: LoadProject): Promise<readonly unknown[]> =>
  Promise.all(
    [own, foreign].map((document) =>
      call(base_url, "POST", "/access/v1/evaluation", asAgent(apiKey), mayRead(document)),
    ),
  );

/** What was signed of each batch of the project, in the order of the chain. */
const manifests = async ({ base_url }: Environment, { id, apiKey }: LoadProject): Promise<unknown[]> => {
  const path = `/audit/v1/manifests?project_id=${encodeURIComponent(id)}`;
  // The envelope of every list, or `call` would have thrown; one page holds what these questions leave.
  return ((await call(base_url, "GET", path, asAgent(apiKey))) as { items: unknown[] }).items;
};

/** The chain once nothing is added to it any more. */
const settledChain = async (environment: Environment, made: LoadProject): Promise<unknown[]> => {
  const until = performance.now() + signedWithinMs;
  let known = await manifests(environment, made);
  for (;;) {
    await delay(3 * pauseMs);
    const now = await manifests(environment, made);
    if (now.length > 0 && now.length === known.length) return now;
    if (performance.now() > until) throw new Refusal("The audit chain of the project does not come to rest.");
    known = now;
  }
};

/** @param loseAndRestore backs the suite up, removes its data and restores it; what clients need afterwards */
export const checkLoss = async (
  environment: Environment,
  loseAndRestore: () => Promise<Environment>,
): Promise<Counts> => {
  const made = await makeLoadProject(environment, "restore");
  await fill(environment, made);
  const before = await decide(environment, made);
  const chain = await settledChain(environment, made);
  const restored = await loseAndRestore();
  const granted = isDeepStrictEqual(before, [{ decision: true }, { decision: false }]);
  const after = await decide(restored, made);
  const decisions = verdict(
    granted && isDeepStrictEqual(after, before),
    `a suite lost and restored: ${JSON.stringify(before)} before, ${JSON.stringify(after)} after`,
  );
  const longer = await settledChain(restored, made);
  const { isVerified, output } = await verifyChain(restored.base_url, made.id, {
    IKG_CLIENT_KEY: made.apiKey,
  });
  const audit = verdict(
    isDeepStrictEqual(longer.slice(0, chain.length), chain) && isVerified,
    `its audit chain goes on, ${chain.length} manifests before, ${longer.length} after: ${output}`,
  );
  await removeLoadProject(restored, made);
  return add(decisions, audit);
};
