import { type Ikg, isNotFound } from "@ikg/client";
import type { LineKind } from "../mapping/line-of.ts";
import { InputFault } from "../input-fault.ts";
import { awaitJob } from "./await-job.ts";
import { RetryWindow } from "./retry-window.ts";
import type { ImportPlan } from "./import-plan.ts";
import type { ImportState, ImportStore, ImportTotals, SentJob } from "./import-state.ts";
import type { Job, JobState } from "./job.ts";
import { type JobLimits, type JobRange, JobReader } from "./read-job.ts";
import { rejectedLines, type RejectedByNumber } from "./rejected-lines.ts";
import { RowCursor } from "./row-cursor.ts";
import { uploadLines } from "./upload-lines.ts";

/** The suite writes one job while the next is uploaded. */
const maxConcurrentJobs = 2;

/** Progress of an import. */
export interface ImportCounts {
  readonly rows: number;
  readonly written: number;
  readonly rejected: number;
}

/** Receives the progress of an import. */
export interface ImportListener {
  /** Bytes of the files; each pass counts them once. */
  read(bytes: number): void;
  update(counts: ImportCounts): void;
}

export interface ImportParts {
  readonly ikg: Ikg;
  readonly plan: ImportPlan;
  readonly state: ImportState;
  readonly store: ImportStore;
  readonly limits: JobLimits;
  readonly signal: AbortSignal;
  readonly progress: ImportListener;
}

/** A job that did not finish. The next run sends its rows again, and all rows after them. */
export class JobFailed extends InputFault {}

const noLines = async function* (): AsyncGenerator<RejectedByNumber, void, undefined> {};

/**
 * Sends the rows of files as import jobs, one after the other, and stores its progress: first the lines of all nodes, then
 * those of all relationships. Their ends exist by then, because a project writes its jobs in order.
 */
export class ImportRun {
  readonly #parts: ImportParts;
  #state: ImportState;
  /** Bytes of the files that the current pass has read. */
  #bytesRead = 0;
  /** Reads the rows of finished jobs again, to find the rejected ones. */
  #rereading: { readonly pass: LineKind; readonly cursor: RowCursor } | undefined;

  constructor(parts: ImportParts) {
    this.#parts = parts;
    this.#state = parts.state;
  }

  get totals(): ImportTotals {
    return this.#state.totals;
  }

  /** @throws InputFault, the reason of the signal, and errors of the client; the progress is kept. */
  async run(): Promise<ImportTotals> {
    this.#parts.store.keepRejected(this.#state.rejectedSize);
    this.#keep(this.#state);
    const { passes } = this.#parts.plan;
    try {
      await this.#accountForEarlier();
      for (let kind = passes[this.#state.pass]; kind !== undefined; kind = passes[this.#state.pass]) {
        await this.#runPass(kind);
        this.#keep({ ...this.#state, pass: this.#state.pass + 1, next: { file: 0, row: 0 } });
      }
      while (this.#state.sent.length > 0) await this.#accountFirst();
    } finally {
      await this.#rereading?.cursor.close();
    }
    return this.#state.totals;
  }

  async #runPass(kind: LineKind): Promise<void> {
    this.#bytesRead = 0;
    const retries = new RetryWindow();
    let cursor = this.#cursor();
    try {
      while (await cursor.fill()) {
        let job: SentJob;
        try {
          job = await this.#send(cursor, kind);
          retries.reset();
        } catch (error) {
          await retries.backOff(error, this.#parts.signal);
          // Sends the same rows again.
          await cursor.close();
          cursor = this.#cursor();
          continue;
        }
        this.#keep({ ...this.#state, next: job.to, sent: [...this.#state.sent, job] });
        while (this.#state.sent.length >= maxConcurrentJobs) await this.#accountFirst();
      }
    } finally {
      await cursor.close();
    }
  }

  /** Starts at the first row that was not sent. Rows that are read again do not count as progress. */
  #cursor(): RowCursor {
    const { plan, progress } = this.#parts;
    let read = 0;
    const onBytes = (count: number): void => {
      read += count;
      progress.read(Math.max(0, read - this.#bytesRead));
      this.#bytesRead = Math.max(this.#bytesRead, read);
    };
    return new RowCursor(plan, this.#state.next, { onBytes });
  }

  /** Handles jobs of an earlier run: those that failed or are gone are sent again. */
  async #accountForEarlier(): Promise<void> {
    for (let [job] = this.#state.sent; job !== undefined; [job] = this.#state.sent)
      try {
        await this.#accountFirst();
      } catch (error) {
        // The suite deletes old jobs, so that a job of an earlier run may be gone.
        if (!isNotFound(error) && !(error instanceof JobFailed)) throw error;
        await this.#forgetRejected();
        this.#sendAgainFrom(job);
      }
  }

  /** Discards what was noted of the rejected lines of a job that is not accounted for: it may be gone before all are read. */
  async #forgetRejected(): Promise<void> {
    const { store } = this.#parts;
    store.keepRejected(this.#state.rejectedSize);
    await this.#rereading?.cursor.close();
    this.#rereading = undefined;
  }

  /** Uploads the next job, if its rows have lines. */
  async #send(cursor: RowCursor, kind: LineKind): Promise<SentJob> {
    const { ikg, limits, signal } = this.#parts;
    const reader = new JobReader(cursor, kind, limits, this.#state.pass === 0);
    const pieces = reader.pieces();
    const first = await pieces.next();
    if (first.done === true) return reader.range;
    const lines = (async function* all() {
      yield first.value;
      yield* pieces;
    })();
    signal.throwIfAborted();
    const { id } = await uploadLines(ikg, lines, signal);
    return { ...reader.range, id };
  }

  /** Waits for the oldest job, and records its result. */
  async #accountFirst(): Promise<void> {
    const [job, ...later] = this.#state.sent;
    if (job === undefined) return;
    const { state, running } = await this.#ended(job);
    const rejectedBySuite = state?.rejected.count ?? 0;
    const notKept = state?.rejected.not_kept ?? 0;
    const rejectedSize =
      rejectedBySuite + job.faults > 0
        ? await this.#noteRejected(job, rejectedBySuite > 0 ? running?.rejected() : undefined)
        : this.#state.rejectedSize;
    const { totals } = this.#state;
    this.#keep({
      ...this.#state,
      sent: later,
      rejectedSize,
      totals: {
        rows: totals.rows + (this.#isOfFirstPass(job) ? job.rows : 0),
        nodes: totals.nodes + (state?.nodes.written ?? 0),
        relationships: totals.relationships + (state?.relationships.written ?? 0),
        rejected: totals.rejected + rejectedBySuite + job.faults,
        notKept: totals.notKept + notKept,
      },
    });
    this.#show();
  }

  async #ended(job: SentJob): Promise<{ readonly state?: JobState; readonly running?: Job }> {
    if (job.id === undefined) return {};
    const { ikg, signal } = this.#parts;
    const running = ikg.capture.job(job.id);
    const state = await awaitJob(running, signal, (each) => this.#show(each));
    if (state.status === "done") return { state, running };
    this.#sendAgainFrom(job);
    throw new JobFailed(
      `import job ${job.id} ended with status ${state.status}${state.reason === undefined ? "" : `: ${state.reason}`}`,
    );
  }

  /** @returns the size of all rejected lines. */
  async #noteRejected(job: JobRange, byNumber: AsyncIterable<RejectedByNumber> = noLines()): Promise<number> {
    const { plan, store } = this.#parts;
    if (this.#rereading?.pass !== job.kind) {
      await this.#rereading?.cursor.close();
      this.#rereading = { pass: job.kind, cursor: new RowCursor(plan, job.from, { hasDetails: true }) };
    }
    const { cursor } = this.#rereading;
    return store.addRejected(rejectedLines(cursor, job, byNumber, this.#isOfFirstPass(job)));
  }

  #isOfFirstPass({ kind }: JobRange): boolean {
    return kind === this.#parts.plan.passes[0];
  }

  /** Discards a job and all jobs after it. */
  #sendAgainFrom({ kind, from }: JobRange): void {
    this.#keep({ ...this.#state, pass: this.#parts.plan.passes.indexOf(kind), next: from, sent: [] });
  }

  #keep(state: ImportState): void {
    this.#state = state;
    this.#parts.store.write(state);
  }

  #show(running?: JobState): void {
    const { rows, nodes, relationships, rejected } = this.#state.totals;
    this.#parts.progress.update({
      rows,
      written: nodes + relationships + (running?.nodes.written ?? 0) + (running?.relationships.written ?? 0),
      rejected: rejected + (running?.rejected.count ?? 0),
    });
  }
}
