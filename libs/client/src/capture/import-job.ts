import { callDataPlane, type DataPlane } from "../data-plane.ts";
import type { Import, RejectedLines } from "../contract/wire.ts";
import { Pages } from "../pages.ts";
import { pause } from "../transport/deadline.ts";
import type { CallOptions } from "../transport/options.ts";
import { requireList } from "../transport/require-list.ts";

const firstPauseMs = 100;
const defaultPauseMs = 1_000;

export interface ProgressOptions extends CallOptions {
  /** Milliseconds between two looks, 1,000 by default; the first ones follow faster. */
  readonly everyMs?: number | undefined;
}

export type RejectedLine = RejectedLines["data"][number];

const hasEnded = ({ status }: Import): boolean => ["done", "cancelled", "failed"].includes(status);

const neverAborted = new AbortController().signal;

/** An import: its lines are staged, a worker of the suite writes them. */
export class ImportJob {
  readonly id: string;
  readonly #plane: DataPlane;

  constructor(plane: DataPlane, id: string) {
    this.#plane = plane;
    this.id = id;
  }

  get #path(): string {
    return `/capture/v1/imports/${encodeURIComponent(this.id)}`;
  }

  async #get<T>(path: string, { signal, timeoutMs }: CallOptions): Promise<T> {
    const call = { method: "GET", path, idempotent: true, signal, timeoutMs } as const;
    return (await callDataPlane<T>(this.#plane, call)).body;
  }

  /** How far it is now. */
  state(options: CallOptions = {}): Promise<Import> {
    return this.#get<Import>(this.#path, options);
  }

  /** How far it is, again and again; the last value is how it ended. */
  async *progress({ everyMs = defaultPauseMs, ...options }: ProgressOptions = {}): AsyncGenerator<
    Import,
    void
  > {
    for (let ms = Math.min(firstPauseMs, everyMs); ; ms = Math.min(ms * 2, everyMs)) {
      const state = await this.state(options);
      yield state;
      if (hasEnded(state)) return;
      await pause(ms, options.signal ?? neverAborted);
    }
  }

  /** Waits until it has ended; `status` says how. */
  async finished(options: ProgressOptions = {}): Promise<Import> {
    let last: Import | undefined;
    for await (const state of this.progress(options)) last = state;
    return last ?? this.state(options);
  }

  /** Lines that were not written, with the reasons, in their order. */
  rejected(options: CallOptions = {}): Pages<RejectedLine, { readonly items: readonly RejectedLine[] }> {
    const get = (path: string): Promise<RejectedLines> => this.#get<RejectedLines>(path, options);
    const first = `${this.#path}/rejected?page_size=1000`;
    return new Pages(async function* pages() {
      for (let path: string | undefined = first; path !== undefined;) {
        const { data, next_href }: RejectedLines = await get(path);
        yield { items: requireList(data, "data") };
        path = next_href;
      }
    });
  }

  /** Ends it: rows that are written stay. */
  async cancel({ signal, timeoutMs }: CallOptions = {}): Promise<Import> {
    const call = { method: "DELETE", path: this.#path, idempotent: true, signal, timeoutMs } as const;
    return (await callDataPlane<Import>(this.#plane, call)).body;
  }
}
