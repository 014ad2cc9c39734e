/** Ends a process: by SIGTERM, and by SIGKILL where it does not end in time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Identity } from "../../launch/identity.mjs";
import { isAlive } from "../../launch/identity.mjs";

/** Signals the process and its group (child processes lead one), if it still is the one that we mean. */
export const signalProcess = (identity: Identity, signal: NodeJS.Signals, group: boolean): void => {
  if (!isAlive(identity)) return;
  try {
    process.kill(group ? -identity.pid : identity.pid, signal);
  } catch {
    // It ended between the question and the signal, or leads no group and has just ended.
  }
};

/** True when it is gone within the time. */
export const waitForEnd = async (identity: Identity, timeoutMs: number): Promise<boolean> => {
  const until = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() > until) return false;
    await sleep(25);
  }
  return true;
};

/** SIGTERM to the process, and after `graceMs` SIGKILL to its group. */
export const endProcess = async (identity: Identity, graceMs: number): Promise<void> => {
  signalProcess(identity, "SIGTERM", false);
  if (await waitForEnd(identity, graceMs)) return;
  signalProcess(identity, "SIGKILL", true);
  await waitForEnd(identity, 5_000);
};
