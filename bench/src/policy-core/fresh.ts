/** What only a process of its own can tell: the time of a first import, the memory of many policies. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "../../../stack/src/measurement/statistics.ts";

const run = promisify(execFile);
const rounds = 7;

const number = async (
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<number> => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  // What the services use too: compiled code is kept between runs.
  const { stdout } = await run(process.execPath, [...flags, path, ...args], { maxBuffer: 1024 });
  return Number(stdout);
};

/** Milliseconds of the first import of modules; the median of fresh processes, after one that fills the cache. */
export const importTime = async (...names: readonly string[]): Promise<number> => {
  await number("./fresh-import.ts", names);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await number("./fresh-import.ts", names));
  return median(times);
};

/** Megabytes of resident memory that 1,000 compiled policies add. */
export const compiledMemory = (): Promise<number> => number("./fresh-memory.ts", [], ["--expose-gc"]);
