import type { SimulatedQuery } from "@ikg/contracts";
import { pauseAfter } from "./pause-after.ts";
import type { QueryRun } from "./query-run.ts";

/** What became of a query: it is still to be run, was run, or did not end in the time of a statement. */
export type QueryProgress = "open" | "done" | "unknown";

/** The queries of a simulation, run one after the other. */
export class RequestedQueries {
  readonly #runs: readonly QueryRun[];
  readonly #progress: QueryProgress[];
  readonly #found: SimulatedQuery[] = [];

  /** @param former of an earlier call that continues here. */
  constructor(runs: readonly QueryRun[], former: readonly QueryProgress[] | undefined) {
    this.#runs = runs;
    this.#progress = runs.map((_, index) => former?.[index] ?? "open");
  }

  get progress(): readonly QueryProgress[] {
    return this.#progress;
  }

  /** Everything is known that was asked. */
  get isComplete(): boolean {
    return this.#progress.every((each) => each === "done");
  }

  /** Nothing more can be found out. */
  get isFinished(): boolean {
    return !this.#progress.includes("open");
  }

  /** Runs those that are open, until the time is over. */
  async run(isOver: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    for (const [index, run] of this.#runs.entries()) {
      if (this.#progress[index] !== "open") continue;
      if (isOver()) return;
      const since = performance.now();
      const result = await run.run(index);
      if (result === undefined) return;
      this.#progress[index] = result.complete ? "done" : "unknown";
      this.#found.push(result);
      await pauseAfter(performance.now() - since, signal);
    }
  }

  /** Those that were run by this call; absent where none was asked for. */
  report(): { readonly queries?: SimulatedQuery[] } {
    return this.#runs.length === 0 ? {} : { queries: [...this.#found] };
  }
}
