/** A suite is lost and restored from a backup: it decides as before, and its audit chain continues and verifies. */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import type { AuditManifest } from "@ikg/client";
import { UserError } from "../../../launch/user-error.mjs";
import { openIkg } from "../../clients.ts";
import type { ClientEnvironment } from "../../environment.ts";
import { decide, fill, foreign, own } from "./authorship.ts";
import { add, type Counts } from "../runner/counts.ts";
import { type LoadProject, makeLoadProject, removeLoadProject } from "./load.ts";
import { verdict } from "./verdict.ts";
import { verifyChain } from "./verify-chain.ts";
import { waitUntil } from "../wait-until.ts";

/** The audit service signs what the questions have left within seconds. */
const signedWithinMs = 60_000;
const pauseMs = 1_000;

/** What was signed of each batch of the project, in the order of the chain. */
const manifests = (environment: ClientEnvironment, made: LoadProject): Promise<AuditManifest[]> =>
  openIkg(environment, made).audit(made.id).manifests().toArray();

/** The chain once nothing is added to it any more. */
const settledChain = async (environment: ClientEnvironment, made: LoadProject): Promise<AuditManifest[]> => {
  let chain = await manifests(environment, made);
  const isSettled = async (): Promise<boolean> => {
    const { length } = chain;
    await delay(3 * pauseMs);
    chain = await manifests(environment, made);
    return chain.length > 0 && chain.length === length;
  };
  if (!(await waitUntil(isSettled, signedWithinMs)))
    throw new UserError("The audit chain of the project does not come to rest.");
  return chain;
};

/** @param loseAndRestore backs the suite up, removes its data and restores it; what clients need afterwards */
export const checkLoss = async (
  environment: ClientEnvironment,
  loseAndRestore: () => Promise<ClientEnvironment>,
): Promise<Counts> => {
  const made = await makeLoadProject(environment, "restore");
  await fill(environment, made);
  const before = await decide(environment, made, [own, foreign]);
  const chain = await settledChain(environment, made);
  const restored = await loseAndRestore();
  const after = await decide(restored, made, [own, foreign]);
  const decisions = verdict(
    isDeepStrictEqual(before, [true, false]) && isDeepStrictEqual(after, before),
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
