/** How much memory a process takes. Linux only. */
import { readFileSync } from "node:fs";

/**
 * @param field of `/proc/PID/status`: what is resident now, or was at most.
 * @returns megabytes.
 * @throws Error when there is no such process.
 */
export const memoryMb = (pid: number | undefined, field: "VmRSS" | "VmHWM" = "VmRSS"): number => {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(
    readFileSync(`/proc/${String(pid)}/status`, "utf8"),
  );
  return Number(found?.[1]) / 1024;
};
