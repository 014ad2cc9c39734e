import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { type CallOptions, positiveTimeout } from "./options.ts";

/** The longest time that timers can wait. */
const maxTimerMs = 2_147_483_647;

/** The end of a call: when its caller aborts it, or its time is up. `close` frees the timer and the caller's signal. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timeoutMs: number;
  #endsAt: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);

  /** @throws TypeError for a `timeoutMs` that is not positive. */
  constructor({ signal, timeoutMs }: CallOptions, defaultTimeoutMs: number) {
    this.#caller = signal;
    this.#timeoutMs = positiveTimeout(timeoutMs ?? defaultTimeoutMs);
    this.#endsAt = performance.now() + this.#timeoutMs;
    if (signal?.aborted === true) this.#abort();
    else signal?.addEventListener("abort", this.#abort, { once: true });
    this.#startTimer();
  }

  #startTimer(): void {
    if (this.#timeoutMs <= maxTimerMs)
      this.#timer = setTimeout(() => this.#controller.abort(this.#timeout()), this.#timeoutMs);
  }

  /** Time does not count from now on. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** All of the time is left again. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#endsAt = performance.now() + this.#timeoutMs;
    this.#startTimer();
  }

  /** Its reason is what the call is rejected with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#abort);
  }

  #timeout(): IkgUnreachable {
    return new IkgUnreachable("timeout", `no response within ${this.#timeoutMs} ms`);
  }
}

/** Resolves after some time, or rejects with the reason of the signal. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", settle);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(settle, ms);
    signal.addEventListener("abort", settle, { once: true });
    if (signal.aborted) settle();
  });

/** Waits for work that several calls share: a call that ends stops waiting, and the work goes on for the others. */
export const waitWithin = async <T>(
  work: Promise<T>,
  options: CallOptions,
  defaultTimeoutMs: number,
): Promise<T> => {
  const deadline = new Deadline(options, defaultTimeoutMs);
  const { signal } = deadline;
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = (): void => reject(signal.reason as Error);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
      work.then(resolve, reject);
    });
  } finally {
    deadline.close();
  }
};
