/** All processes of one suite, in the order in which they were started; they end in the opposite one. */
import { shortPath } from "../home.ts";
import { Refusal } from "../../launch/refusal.mjs";
import type { Child } from "./child.ts";
import { lastWords } from "./log.ts";

/** One line about a process that has ended on its own. */
export const describeDeath = (child: Child, how: string): string => {
  const words = how.startsWith("SIG") ? undefined : lastWords(child.output());
  const reason = words === undefined ? "" : `: ${words.replace(/\.$/, "")}`;
  return `${child.name} has ended (${how})${reason}. See ${shortPath(child.log)} and start again.`;
};

/** Processes that end together. */
export interface Phase {
  readonly add: (child: Child) => void;
  /** From now on the end of this process is the end of the suite. */
  readonly watch: (child: Child) => void;
  readonly stop: (force?: boolean) => Promise<void>;
}

export class Children {
  readonly #phases: { readonly phase: Phase; readonly children: Child[] }[] = [];
  readonly #expected = new Set<Child>();
  readonly #death = Promise.withResolvers<Refusal>();

  /** Kept with one line when a process ends that nobody asked to end. */
  readonly death: Promise<Refusal> = this.#death.promise;

  addPhase(): Phase {
    const children: Child[] = [];
    const phase: Phase = {
      add: (child) => void children.push(child),
      watch: (child) => {
        void child.ended.then((how) => {
          if (!this.#expected.has(child)) this.#death.resolve(new Refusal(describeDeath(child, how)));
        });
      },
      stop: async (force = false) => {
        for (const child of children) this.#expected.add(child);
        await Promise.all(children.map((child) => child.stop(force)));
      },
    };
    this.#phases.push({ phase, children });
    return phase;
  }

  get any(): boolean {
    return this.#phases.some(({ children }) => children.length > 0);
  }

  /** Ends the last phase first and waits for each; with `force` all at once. */
  async stop(force = false): Promise<void> {
    for (const child of this.#phases.flatMap(({ children }) => children)) this.#expected.add(child);
    if (force) await Promise.all(this.#phases.map(({ phase }) => phase.stop(true)));
    for (const { phase } of this.#phases.toReversed()) await phase.stop(force);
  }
}
