import { createHash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readState, writeState } from "../state-files.ts";
import type { TableFile } from "../tables/table.ts";
import type { JobRange } from "./read-job.ts";
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
  /** Bytes of their rejected lines. */
  readonly rejectedBytes: number;
}

export const newState = (fingerprint: string): ImportState => ({
  fingerprint,
  pass: 0,
  next: { file: 0, row: 0 },
  sent: [],
  totals: { rows: 0, nodes: 0, relationships: 0, rejected: 0, notKept: 0 },
  rejectedBytes: 0,
});

const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** What an import is, so that the same command finds its state again. */
export interface ImportIdentity {
  readonly url: string;
  /** Says which project; only its hash is kept, among all the rest. */
  readonly clientKey: string;
  readonly files: readonly TableFile[];
  readonly mapping: string | undefined;
  readonly jobLines: number;
}

/** Two imports of the same files into the same deployment have one state. */
export const stateName = ({ url, files }: ImportIdentity): string =>
  hashOf([url, files.map(({ origin }) => origin)]).slice(0, 32);

export const fingerprintOf = ({ url, clientKey, files, mapping, jobLines }: ImportIdentity): string =>
  hashOf([
    url,
    clientKey,
    files.map(({ origin, format }) => {
      const { size, mtimeMs } = statSync(origin);
      return [origin, format, size, mtimeMs];
    }),
    mapping ?? "",
    jobLines,
  ]);

/** The state of one import in a folder. */
export class StateFile {
  readonly #path: string;
  /** Where its rejected lines are gathered. */
  readonly rejectedPath: string;

  constructor(folder: string, name: string) {
    this.#path = join(folder, `${name}.json`);
    this.rejectedPath = join(folder, `${name}.rejected.ndjson`);
  }

  /** Undefined where nothing was interrupted. */
  read(): ImportState | undefined {
    return readState(this.#path) as ImportState | undefined; // what `write` wrote
  }

  /** @throws CommandFault where it cannot be written. */
  write(state: ImportState): void {
    writeState(this.#path, state);
  }

  remove(): void {
    for (const path of [this.#path, this.rejectedPath]) rmSync(path, { force: true });
  }
}
