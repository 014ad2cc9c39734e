/** The parts of a run and their durations, printed in its last lines. */
import { formatDuration, say } from "../../../launch/progress.mjs";
import { formatCounts } from "./counts.ts";
import type { Counts } from "./counts.ts";
import type { FileTime, Summary } from "./report.ts";

interface Part {
  readonly name: string;
  readonly ms: number;
  readonly result: string;
}

/** So many of the slowest files are named. */
const slowest = 5;

export class Timetable {
  readonly #began: number;
  readonly #parts: Part[] = [];
  readonly #files: FileTime[] = [];

  /** @param launched when the launcher began, which prepared Node and the packages. Milliseconds since the epoch */
  constructor(launched = Number(process.env["IKG_LAUNCHED_AT"]) || Date.now()) {
    this.#began = launched;
    this.begin("Node and packages", launched)();
  }

  /** Begins a part. @returns what ends it, with what it came to */
  begin(name: string, at = Date.now()): (result?: string) => void {
    return (result = "") => void this.#parts.push({ name, ms: Date.now() - at, result });
  }

  /** Does one part of a run. */
  async time<T>(name: string, work: () => Promise<T>, describe?: (result: T) => string): Promise<T> {
    const end = this.begin(name);
    const result = await work();
    end(describe?.(result));
    return result;
  }

  /** Does a part that counts tests. */
  async tests(name: string, work: () => Promise<Summary>): Promise<Summary> {
    const summary = await this.time(name, work, formatCounts);
    this.#files.push(...summary.files);
    return summary;
  }

  /** Does a part that counts something else. */
  counted(name: string, work: () => Promise<Counts>): Promise<Counts> {
    return this.time(name, work, formatCounts);
  }

  /** Prints the parts in the order in which they ended, the whole time, then the slowest files. */
  print(): void {
    const width = Math.max(...this.#parts.map(({ name }) => name.length));
    say("");
    for (const { name, ms, result } of this.#parts)
      say(`${formatDuration(ms)}  ${name.padEnd(width)}  ${result}`.trimEnd());
    say(`${formatDuration(Date.now() - this.#began)}  whole run`);
    const files = this.#files.toSorted((a, b) => b.ms - a.ms).slice(0, slowest);
    if (files.length > 0) say("slowest files:");
    for (const { file, ms } of files) say(`${formatDuration(ms)}  ${file}`);
  }
}
