/** Log files of the processes: appended to, one former file kept. */
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../home.ts";

const rotateAtBytes = 50 * 1024 * 1024;

export const logFile = (home: Home, name: string): string => join(home.logs, `${name}.log`);

/** Opens for appending; a file that has grown large becomes `<name>.log.1` first. */
export const openLog = (file: string): number => {
  if (existsSync(file) && statSync(file).size > rotateAtBytes) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
};

/** The end of the file from byte `from` on, at most 16 KiB of it. */
export const readLogFrom = (file: string, from: number): string => {
  const handle = openSync(file, "r");
  try {
    const size = fstatSync(handle).size;
    const start = Math.max(from, size - 16 * 1024);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    readSync(handle, buffer, 0, buffer.length, start);
    return buffer.toString("utf8");
  } finally {
    closeSync(handle);
  }
};

/** A line of a service is JSON with the message in `msg`; any other line is unchanged. */
const messageOf = (line: string): string => {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry === "object" && entry !== null && "msg" in entry && typeof entry.msg === "string")
      return entry.msg;
  } catch {
    // Not JSON.
  }
  return line;
};

/** The first line of an error that Node prints when a program throws. */
const isThrown = (line: string): boolean => /^(Uncaught )?(?:[A-Z]\w*)?(Error|Exception)\b.*:/.test(line);

/**
 * The line that best explains why a process ended, shortened: an error that it threw, else its last line. Services print one
 * clear line before they exit.
 */
export const lastErrorLine = (log: string): string | undefined => {
  const lines = log.split("\n").map((line) => line.trim());
  const last = lines.findLast(isThrown) ?? lines.findLast((line) => line !== "");
  return last === undefined ? undefined : messageOf(last).slice(0, 300);
};
