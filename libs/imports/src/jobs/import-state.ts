import type { JobRange } from "./read-job.ts";
import type { RejectedLine } from "./rejected-lines.ts";
import type { Position } from "./row-cursor.ts";

/** A job that the suite has; without an id there was nothing to send, and there are faults to note. */
export interface SentJob extends JobRange {
  readonly id?: string;
}

export interface ImportTotals {
  /** Rows of the files. */
  readonly rows: number;
  readonly nodes: number;
  readonly relationships: number;
  readonly rejected: number;
  /** Rejected lines of which the suite does not say which they are. */
  readonly notKept: number;
}

/** How far an import has come. */
export interface ImportState {
  /** Of all on which the rows of the jobs depend. */
  readonly fingerprint: string;
  /** Index of the pass over the files, and where it continues. */
  readonly pass: number;
  readonly next: Position;
  /** Jobs that have not been accounted for, in their order. */
  readonly sent: readonly SentJob[];
  /** Of the jobs before. */
  readonly totals: ImportTotals;
  /** Size of their rejected lines, as the store counts it. */
  readonly rejectedSize: number;
}

export const newState = (fingerprint: string): ImportState => ({
  fingerprint,
  pass: 0,
  next: { file: 0, row: 0 },
  sent: [],
  totals: { rows: 0, nodes: 0, relationships: 0, rejected: 0, notKept: 0 },
  rejectedSize: 0,
});

/** Where an import keeps how far it has come, and its rejected lines, so that it continues there after an interruption. */
export interface ImportStore {
  /** @throws InputFault where it cannot be written. */
  write(state: ImportState): void;
  /** Forgets the rejected lines behind the first `size`: of a job that was noted, but not accounted for. */
  keepRejected(size: number): void;
  /** Adds rejected lines to those that are kept. @returns the size of all, whatever it counts */
  addRejected(lines: AsyncIterable<RejectedLine>): Promise<number>;
}
