import type { Line } from "../marks.ts";
import { marks, mostCallers } from "./plan.ts";

/** @param memory megabytes of each process, at most, while the most callers asked */
export const memoryLines = (memory: Readonly<Record<string, number>>): readonly Line[] =>
  Object.entries(memory).map(([name, most]) => ({
    what: `memory of ${name}, ${mostCallers} callers`,
    figure: `${most.toFixed(0)} MB`,
    ratio: "",
    mark: `at most ${marks.memoryMb} MB`,
    baseline: "",
    holds: most <= marks.memoryMb,
  }));
