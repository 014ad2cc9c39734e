import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { CommandFault } from "../command-environment.ts";

const pollMs = 50;

/** @throws CommandFault if the file cannot be created. */
const tryAcquire = (path: string): boolean => {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new CommandFault(`${path} cannot be written: ${(error as Error).message}`);
  }
};

/** Whether a lock is that of a process that was killed. A time in the future is that of a clock that was set back. */
const isStale = (path: string, maxMs: number): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > maxMs;
};

/**
 * Does work while no other process does work with the same lock file.
 *
 * @param maxMs more milliseconds than the work can take.
 * @throws CommandFault if the file cannot be created; errors of `work`.
 */
export const withFileLock = async <T>(path: string, maxMs: number, work: () => Promise<T>): Promise<T> => {
  while (!tryAcquire(path)) {
    if (isStale(path, maxMs)) rmSync(path, { force: true });
    else await wait(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
};
