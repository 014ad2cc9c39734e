/** A lock between processes: a file that is created whole or not at all, and names its holder. */
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isAlive, self } from "./identity.mjs";

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @returns {import("./identity.mjs").Identity | undefined} */
const holderOf = (/** @type {string} */ file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
};

/** True when the lock is ours now: a link to a finished file is made in one step, and only if there is none. */
const tryLock = (/** @type {string} */ file) => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(self()));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
};

/**
 * Removes the lock of a holder that has died. Two who find it dead must not remove one after the other (the second
 * would remove the lock that the first has taken meanwhile), so removal has a lock of its own, held for microseconds.
 *
 * @returns false where another process holds that one, or has left it behind: after ten seconds it is removed
 */
const removeIfDead = (/** @type {string} */ file) => {
  const guard = `${file}.removal`;
  try {
    mkdirSync(guard);
  } catch {
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 10_000) rmSync(guard, { recursive: true, force: true });
    return false;
  }
  try {
    const holder = holderOf(file);
    if (holder && !isAlive(holder)) rmSync(file, { force: true });
    return true;
  } finally {
    rmdirSync(guard);
  }
};

/**
 * Runs `work` while no other process holds the lock `file`; waits as long as a living process holds it.
 *
 * @template T
 * @param {string} file
 * @param {() => T | Promise<T>} work
 * @param {() => void} [onWait] called once when the lock is held by another process
 * @returns {Promise<T>}
 */
export const withLock = async (file, work, onWait) => {
  mkdirSync(dirname(file), { recursive: true });
  for (let isReported = false; !tryLock(file);) {
    const holder = holderOf(file);
    if (holder && !isAlive(holder)) {
      if (!removeIfDead(file)) await wait(20);
    } else {
      if (!isReported) onWait?.();
      isReported = true;
      await wait(200);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
};
