import type { Line } from "../targets.ts";
import { targets, mostCallers } from "./plan.ts";

/** @param memory megabytes of each process, at most, while the most callers asked */
export const memoryLines = (memory: Readonly<Record<string, number>>): readonly Line[] =>
  Object.entries(memory).map(([name, most]) => ({
    what: `memory of ${name}, ${mostCallers} callers`,
    figure: `${most.toFixed(0)} MB`,
    ratio: "",
    target: `at most ${targets.memoryMb} MB`,
    baseline: "",
    met: most <= targets.memoryMb,
  }));
