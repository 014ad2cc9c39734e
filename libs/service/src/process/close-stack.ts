import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../logs/log.ts";

/** The parts of a process that are closed when it ends, the last one that was opened first. */
export class CloseStack {
  readonly #log: Logger;
  readonly #closers: { readonly name: string; readonly close: () => Promise<void> }[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  add(name: string, close: () => Promise<void>): void {
    this.#closers.push({ name, close });
  }

  /** Closes each part, whether or not others fail, and waits at most `ms` for all of them together. */
  async close(ms: number): Promise<void> {
    const done = new AbortController();
    let isLate = false;
    const late = wait(ms, undefined, { signal: done.signal }).then(
      () => void (isLate = true),
      () => undefined,
    );
    for (const { name, close } of this.#closers.toReversed()) {
      const wasLate = isLate;
      try {
        await Promise.race([close(), late]);
        // The parts after it are closed without waiting for them.
        if (isLate && !wasLate) this.#log.warn(`closing ${name} takes too long`);
      } catch (error) {
        this.#log.warn(`closing ${name} failed`, { error });
      }
    }
    done.abort();
  }
}
