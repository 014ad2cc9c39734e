/**
 * Who a process is. A process id alone is not enough: the system gives it to another process later. Together with the
 * moment at which the process started, and the boot that this moment counts from, it is.
 */
import { readFileSync } from "node:fs";

/** @typedef {{ pid: number, started: string }} Identity */

const boot = (() => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
})();

/**
 * Reads the line of `/proc/<pid>/stat`. The second field is the program's name in parentheses and may itself hold
 * blanks and parentheses, so fields are counted after the last one.
 *
 * @param {string} stat
 * @returns {{ name: string, state: string, parent: number, ticks: string } | undefined} name of the program, state
 *   letter, id of the parent, and start in clock ticks since boot
 */
export const parseStat = (stat) => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, ticks] = [fields[0], fields[1], fields[19]];
  const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
  return state && parent && ticks ? { name, state, parent: Number(parent), ticks } : undefined;
};

const readStat = (/** @type {number} */ pid) => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
};

/**
 * The identity of a living process; undefined when there is none with this id. A zombie has ended and only waits for
 * its parent to ask how.
 *
 * @param {number} pid
 * @returns {Identity | undefined}
 */
export const identify = (pid) => {
  const stat = readStat(pid);
  if (!stat || stat.state === "Z" || stat.state === "X") return undefined;
  return { pid, started: `${boot}:${stat.ticks}` };
};

/**
 * The process that started this one, past the shell through which npm runs its scripts.
 *
 * @returns {Identity | undefined}
 */
export const starter = () => {
  const parent = readStat(process.ppid);
  const isShell = parent !== undefined && ["sh", "dash", "bash"].includes(parent.name);
  return identify(isShell ? parent.parent : process.ppid);
};

/**
 * True while exactly this process runs, false once its id is free or belongs to another.
 *
 * @param {Identity} identity
 */
export const isAlive = (identity) => identify(identity.pid)?.started === identity.started;

/** The process that asks. @returns {Identity} */
export const self = () => identify(process.pid) ?? { pid: process.pid, started: "" };
