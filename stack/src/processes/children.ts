/** All processes of one suite, in the order in which they were started; they end in the opposite one. */
import { setTimeout as wait } from "node:timers/promises";
import { formatDuration, say } from "../../launch/progress.mjs";
import { shortPath } from "../home.ts";
import { UserError } from "../../launch/user-error.mjs";
import type { Child } from "./child.ts";
import { lastErrorLine } from "./log.ts";

/** Why a process ended unexpectedly, as far as its log shows. */
const exitReason = (child: Child, how: string): string => {
  const line = how.startsWith("SIG") ? undefined : lastErrorLine(child.output());
  return `${child.name} has ended (${how})${line === undefined ? "" : `: ${line.replace(/\.$/, "")}`}`;
};

/** One line about a process that ended unexpectedly. */
export const describeExit = (child: Child, how: string): string =>
  `${exitReason(child, how)}. See ${shortPath(child.log)} and start again.`;

/** How a process that ended unexpectedly is restarted. */
export interface Replacement {
  /** Starts it on the data of the former one, adds it to its phase, and resolves when it is ready. */
  readonly start: () => Promise<Child>;
  /** Pauses before each start, in milliseconds: one start for each, after which the suite ends. */
  readonly pausesMs: readonly number[];
  /** A process that has run for this long begins with the first pause again. */
  readonly steadyMs: number;
}

/** A process restarts at once after a single failure; the suite gives up within a minute where it cannot run. */
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
  readonly #unexpectedExit = Promise.withResolvers<UserError>();

  /** Resolves with one line when a process ends unexpectedly. */
  readonly unexpectedExit: Promise<UserError> = this.#unexpectedExit.promise;

  addPhase(): Phase {
    const children: Child[] = [];
    let stopping = false;
    const isExpected = (child: Child): boolean => this.#stopping || stopping || this.#expected.has(child);
    const phase: Phase = {
      add: (child) => {
        children.push(child);
        // It was started while its phase was being stopped.
        if (stopping) {
          this.#expected.add(child);
          void child.stop(true);
        }
      },
      watch: (child) => {
        void child.ended.then((how) => {
          if (!isExpected(child)) this.#unexpectedExit.resolve(new UserError(describeExit(child, how)));
        });
      },
      replace: (child, replacement) => {
        void this.#replace(child, replacement, isExpected).catch((error: unknown) =>
          this.#unexpectedExit.resolve(error instanceof UserError ? error : new UserError(String(error))),
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

  /** @throws UserError when the process ends again and again, or what its start throws */
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
      say(`${exitReason(child, how)}. It is started again.`);
      const begun = performance.now();
      let next: Child | undefined;
      while (next === undefined) {
        const pause = pausesMs[starts++];
        if (pause === undefined) throw new UserError(describeExit(child, how));
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
