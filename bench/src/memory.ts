/** Resident memory of the suite's processes while they work. Linux only. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal, type Target } from "./settings.ts";

const sampleMs = 250;

/** Megabytes. @throws Refusal when the suite has noted no such process */
const residentMb = (target: Target, name: string): number => {
  try {
    // As `npm start` notes it.
    const { pid } = JSON.parse(readFileSync(join(target.processes, `${name}.json`), "utf8")) as {
      pid: number;
    };
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    throw new Refusal(`The process of ${name} is unknown.`);
  }
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
