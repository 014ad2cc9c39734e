import type { Ikg } from "@ikg/client";
import {
  type ImportCounts,
  type ImportPlan,
  ImportRun,
  type ImportState,
  type ImportTotals,
  jobCharacters,
  MemoryStore,
  newState,
  type RejectedLine,
} from "@ikg/imports/browser";

/** Lines of one import job: what is sent again after an interruption, so fewer than the command line sends. */
const jobLines = 20_000;

/** Milliseconds between two looks at how far it is. */
const shownEveryMs = 200;

export type ImportStatus = "running" | "stopped" | "failed" | "done";

/** How an import is, as it is shown. */
export interface ImportView {
  readonly status: ImportStatus;
  /** Of all that is read, from 0 to 1. */
  readonly share: number;
  readonly counts: ImportCounts;
  readonly totals: ImportTotals;
  /** The first rejected lines. */
  readonly rejected: readonly RejectedLine[];
  /** Why it failed. */
  readonly error: unknown;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

const noCounts: ImportCounts = { rows: 0, written: 0, rejected: 0 };

/**
 * An import of files, which goes on while another screen is open. What the suite has of it is known after an interruption: it continues
 * with the job that was under way.
 */
export class ImportTask {
  readonly #plan: ImportPlan;
  readonly #sizes: readonly number[];
  readonly #totalBytes: number;
  readonly #store = new MemoryStore();
  readonly #listeners = new Set<() => void>();
  #aborting = new AbortController();
  #bytes = 0;
  #shown = 0;
  #view: ImportView;

  /** @param sizes bytes of each file of the plan. */
  constructor(plan: ImportPlan, sizes: readonly number[]) {
    this.#plan = plan;
    this.#sizes = sizes;
    this.#totalBytes = Math.max(1, sum(sizes) * plan.passes.length);
    const { totals } = newState("");
    this.#view = { status: "stopped", share: 0, counts: noCounts, totals, rejected: [], error: undefined };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): ImportView => this.#view;

  /** All rejected lines as NDJSON: file, row, text and reasons. */
  rejectedText(): Blob {
    return this.#store.rejectedText();
  }

  /** Begins, or continues. @param ikg with the key that there is now */
  async run(ikg: Ikg): Promise<void> {
    if (this.#view.status === "running") return;
    this.#aborting = new AbortController();
    const { signal } = this.#aborting;
    const state = this.#store.state ?? newState("tab");
    this.#bytes = this.#bytesBefore(state);
    this.#show({ status: "running", error: undefined });
    const run = new ImportRun({
      ikg,
      plan: this.#plan,
      state,
      store: this.#store,
      limits: { lines: jobLines, characters: jobCharacters },
      signal,
      progress: {
        read: (bytes) => {
          this.#bytes = Math.min(this.#totalBytes, this.#bytes + bytes);
          this.#showSometimes();
        },
        update: (counts) => {
          this.#view = { ...this.#view, counts };
          this.#showSometimes();
        },
      },
    });
    try {
      await run.run();
      this.#show({ status: "done", share: 1 });
    } catch (error) {
      // A reader may end with another error than the reason of the signal.
      this.#show(signal.aborted ? { status: "stopped" } : { status: "failed", error });
    }
  }

  /** Stops sending. Jobs that the suite has already go on. */
  stop(): void {
    this.#aborting.abort(new Error("stopped"));
  }

  /** Bytes that come before the file in which an import continues: that file is read from its beginning. */
  #bytesBefore({ pass, next }: ImportState): number {
    return pass * sum(this.#sizes) + sum(this.#sizes.slice(0, next.file));
  }

  #showSometimes(): void {
    const now = Date.now();
    if (now - this.#shown < shownEveryMs) return;
    this.#show({});
  }

  #show(changes: Partial<ImportView>): void {
    this.#shown = Date.now();
    const totals = this.#store.state?.totals ?? this.#view.totals;
    this.#view = {
      ...this.#view,
      // Rows that are read again after an interruption do not take it back.
      share: Math.max(this.#view.share, this.#bytes / this.#totalBytes),
      totals,
      rejected: this.#store.firstRejected,
      ...changes,
    };
    for (const listener of this.#listeners) listener();
  }
}
