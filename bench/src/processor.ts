/** Processor time of the suite's processes. Linux only. */
import { readFileSync } from "node:fs";
import { pidOf } from "./pid-of.ts";
import type { Target } from "./settings.ts";

/** Ticks in a second, as Linux counts for programs (`getconf CLK_TCK`). */
const ticks = 100;

/** Seconds of processor time that a process has taken since it began, of all its threads. */
export const processorSeconds = (target: Target, name: string): number => {
  const stat = readFileSync(`/proc/${pidOf(target, name)}/stat`, "utf8");
  // Behind the name, which may hold blanks: the twelfth and thirteenth fields are those of the program and of the system.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticks;
};
