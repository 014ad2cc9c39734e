import type { JobRange } from "./read-job.ts";
import type { RejectedLine } from "./rejected-lines.ts";
import type { Position } from "./row-cursor.ts";

/** A job that was sent. It has no id if none of its rows has a line: its faults are still reported. */
export interface SentJob extends JobRange {
  readonly id?: string;
}

export interface ImportTotals {
  /** Rows of the files. */
  readonly rows: number;
  readonly nodes: number;
  readonly relationships: number;
  readonly rejected: number;
  /** Rejected lines that the server counted but did not keep. */
  readonly notKept: number;
}

/** The stored progress of an import. */
export interface ImportState {
  /** Hash of everything on which the rows of the jobs depend. */
  readonly fingerprint: string;
  /** Index of the pass over the files, and where it continues. */
  readonly pass: number;
  readonly next: Position;
  /** Jobs that have not been accounted for, in their order. */
  readonly sent: readonly SentJob[];
  /** Totals of the jobs that have been accounted for. */
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

/** Stores the progress and the rejected lines of an import, so that it can continue after an interruption. */
export interface ImportStore {
  /** @throws InputFault where it cannot be written. */
  write(state: ImportState): void;
  /** Truncates the rejected lines to the first `size`: a job may have added lines before its state was written. */
  keepRejected(size: number): void;
  /** Adds rejected lines to those that are kept. @returns the total size, in the unit of the store */
  addRejected(lines: AsyncIterable<RejectedLine>): Promise<number>;
}
