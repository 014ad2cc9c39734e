/** All processes of one suite, in the order in which they were started; they end in the opposite one. */
import { setTimeout as wait } from "node:timers/promises";
import { formatDuration, say } from "../../launch/progress.mjs";
import { shortPath } from "../home.ts";
import { Refusal } from "../../launch/refusal.mjs";
import type { Child } from "./child.ts";
import { lastWords } from "./log.ts";

/** What is known about the end of a process that ended on its own. */
export const reasonOfDeath = (child: Child, how: string): string => {
  const words = how.startsWith("SIG") ? undefined : lastWords(child.output());
  return `${child.name} has ended (${how})${words === undefined ? "" : `: ${words.replace(/\.$/, "")}`}`;
};

/** One line about a process that has ended on its own. */
export const describeDeath = (child: Child, how: string): string =>
  `${reasonOfDeath(child, how)}. See ${shortPath(child.log)} and start again.`;

/** How a process that ended on its own is started again. */
export interface Replacement {
  /** Starts it on what the former one left, adds it to its phase, and resolves when it is ready. */
  readonly start: () => Promise<Child>;
  /** Pauses before each start, in milliseconds: one start for each, after which the suite ends. */
  readonly pausesMs: readonly number[];
  /** A process that has run for so long begins with the first pause again. */
  readonly steadyMs: number;
}

/** Pauses that let a process come back at once after a single failure, and give up within a minute where it cannot run. */
export const usualPauses: Pick<Replacement, "pausesMs" | "steadyMs"> = {
  pausesMs: [0, 1_000, 2_000, 5_000, 10_000],
  steadyMs: 120_000,
};

/** Processes that end together. */
export interface Phase {
  readonly add: (child: Child) => void;
  /** From now on the end of this process is the end of the suite. */
  readonly watch: (child: Child) => void;
  /** From now on a new process takes the place of this one when it ends; see `Replacement`. */
  readonly replace: (child: Child, replacement: Replacement) => void;
  readonly stop: (force?: boolean) => Promise<void>;
}

export class Children {
  readonly #phases: { readonly phase: Phase; readonly children: Child[] }[] = [];
  readonly #expected = new Set<Child>();
  #stopping = false;
  readonly #death = Promise.withResolvers<Refusal>();

  /** Kept with one line when a process ends unexpectedly. */
  readonly death: Promise<Refusal> = this.#death.promise;

  addPhase(): Phase {
    const children: Child[] = [];
    let stopping = false;
    const isExpected = (child: Child): boolean => this.#stopping || stopping || this.#expected.has(child);
    const phase: Phase = {
      add: (child) => {
        children.push(child);
        // It was started while the others were stopped already.
        if (stopping) {
          this.#expected.add(child);
          void child.stop(true);
        }
      },
      watch: (child) => {
        void child.ended.then((how) => {
          if (!isExpected(child)) this.#death.resolve(new Refusal(describeDeath(child, how)));
        });
      },
      replace: (child, replacement) => {
        void this.#replace(child, replacement, isExpected).catch((error: unknown) =>
          this.#death.resolve(error instanceof Refusal ? error : new Refusal(String(error))),
        );
      },
      stop: async (force = false) => {
        stopping = true;
        for (const child of children) this.#expected.add(child);
        await Promise.all(children.map((child) => child.stop(force)));
      },
    };
    this.#phases.push({ phase, children });
    return phase;
  }

  /** @throws Refusal when the process ends again and again, or what its start throws */
  async #replace(
    first: Child,
    { start, pausesMs, steadyMs }: Replacement,
    isExpected: (child: Child) => boolean,
  ): Promise<void> {
    let child = first;
    let starts = 0;
    for (;;) {
      const since = performance.now();
      const how = await child.ended;
      if (isExpected(child)) return;
      if (performance.now() - since > steadyMs) starts = 0;
      say(`${reasonOfDeath(child, how)}. It is started again.`);
      const begun = performance.now();
      let next: Child | undefined;
      while (next === undefined) {
        const pause = pausesMs[starts++];
        if (pause === undefined) throw new Refusal(describeDeath(child, how));
        await wait(pause, undefined, { ref: false });
        if (isExpected(child)) return;
        next = await start().catch((error: unknown) => {
          if (!isExpected(child)) say(error instanceof Error ? error.message : String(error));
          return undefined;
        });
        if (isExpected(child)) return;
      }
      child = next;
      say(`${child.name} is ready again after ${formatDuration(performance.now() - begun).trim()}.`);
    }
  }

  get any(): boolean {
    return this.#phases.some(({ children }) => children.length > 0);
  }

  /** Ends the last phase first and waits for each; with `force` all at once. */
  async stop(force = false): Promise<void> {
    this.#stopping = true;
    for (const child of this.#phases.flatMap(({ children }) => children)) this.#expected.add(child);
    if (force) await Promise.all(this.#phases.map(({ phase }) => phase.stop(true)));
    for (const { phase } of this.#phases.toReversed()) await phase.stop(force);
  }
}
