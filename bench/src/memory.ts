/** Resident memory of the suite's processes while they work. Linux only. */
import { readFileSync } from "node:fs";
import { pidOf } from "./pid-of.ts";
import type { Target } from "./settings.ts";

const sampleMs = 250;

/** Megabytes. @throws UserError when the suite has noted no such process */
const residentMb = (target: Target, name: string): number => {
  const status = readFileSync(`/proc/${pidOf(target, name)}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
};

export interface Sample<N extends string> {
  /** milliseconds since the watch began */
  readonly at: number;
  /** megabytes */
  readonly resident: Readonly<Record<N, number>>;
}

/** What these processes of the suite take while `work` runs. */
export const watchMemory = async <N extends string, T>(
  target: Target,
  names: readonly N[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly samples: readonly Sample<N>[] }> => {
  const samples: Sample<N>[] = [];
  const started = performance.now();
  const sample = (): void => {
    const resident = Object.fromEntries(names.map((name) => [name, residentMb(target, name)])) as Record<
      N,
      number
    >; // every name
    samples.push({ at: performance.now() - started, resident });
  };
  sample();
  const timer = setInterval(sample, sampleMs);
  try {
    const result = await work();
    sample();
    return { result, samples };
  } finally {
    clearInterval(timer);
  }
};

export const mostOf = <N extends string>(samples: readonly Sample<N>[], name: N): number =>
  Math.max(...samples.map(({ resident }) => resident[name]));
