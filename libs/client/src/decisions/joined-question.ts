import type { Decision } from "../contract/wire.ts";
import { Deadline } from "../transport/deadline.ts";
import type { CallOptions } from "../transport/options.ts";

/** A question that waits for its decision: its own deadline and signal end it, whatever becomes of the others. */
export class JoinedQuestion {
  /** As JSON. */
  readonly text: string;
  readonly answer: Promise<Decision>;
  /** False when it was decided, aborted, or its time is up. */
  isWaiting = true;
  readonly #deadline: Deadline;
  #settle: { resolve(decision: Decision): void; reject(error: unknown): void } | undefined;

  /** @param onEnd called when it needs no decision any more. */
  constructor(text: string, options: CallOptions, defaultTimeoutMs: number, onEnd: () => void) {
    this.text = text;
    this.#deadline = new Deadline(options, defaultTimeoutMs);
    this.answer = new Promise<Decision>((resolve, reject) => {
      this.#settle = { resolve, reject };
    }).finally(() => {
      this.isWaiting = false;
      this.#deadline.close();
      onEnd();
    });
    const { signal } = this.#deadline;
    const end = (): void => this.reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  }

  /** For a request about this question alone. */
  get options(): Required<Pick<CallOptions, "signal" | "timeoutMs">> {
    return { signal: this.#deadline.signal, timeoutMs: this.remainingMs };
  }

  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.#deadline.remainingMs));
  }

  resolve(decision: Decision): void {
    this.#settle?.resolve(decision);
  }

  reject(error: unknown): void {
    this.#settle?.reject(error);
  }
}
