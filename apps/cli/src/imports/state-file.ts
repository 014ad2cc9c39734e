import { createHash } from "node:crypto";
import { rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ImportState, ImportStore, RejectedLine } from "@ikg/imports";
import { readState, writeState } from "../state-files.ts";
import type { LocalFile } from "../tables/local-file.ts";
import { TextFile } from "./text-file.ts";

const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** Identifies an import, so that the same command finds its state again. */
export interface ImportIdentity {
  readonly url: string;
  /** Identifies the project; only a hash of it is stored. */
  readonly clientKey: string;
  readonly files: readonly LocalFile[];
  readonly mapping: string | undefined;
  readonly jobLines: number;
}

/** Imports of the same files into the same deployment share one state. */
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

/** The state of one import in a folder. The size of rejected lines is that of their file in bytes. */
export class StateFile implements ImportStore {
  readonly #path: string;
  /** The file in which rejected lines are collected. */
  readonly rejectedPath: string;

  constructor(folder: string, name: string) {
    this.#path = join(folder, `${name}.json`);
    this.rejectedPath = join(folder, `${name}.rejected.ndjson`);
  }

  /** Undefined if no import was interrupted. */
  read(): ImportState | undefined {
    return readState(this.#path) as ImportState | undefined; // written by `write`
  }

  /** @throws CommandFault if it cannot be written. */
  write(state: ImportState): void {
    writeState(this.#path, state);
  }

  keepRejected(size: number): void {
    if (this.#rejectedSize() > size) truncateSync(this.rejectedPath, size);
  }

  /** @throws CommandFault if they cannot be written. */
  async addRejected(lines: AsyncIterable<RejectedLine>): Promise<number> {
    const text = new TextFile(this.rejectedPath, this.rejectedPath, { flags: "a", mode: 0o600 });
    try {
      for await (const line of lines) await text.write(`${JSON.stringify(line)}\n`);
    } finally {
      // Nothing is written later, when the lines of a failed call have been truncated.
      await text.close();
    }
    return this.#rejectedSize();
  }

  remove(): void {
    for (const path of [this.#path, this.rejectedPath]) rmSync(path, { force: true });
  }

  #rejectedSize(): number {
    return statSync(this.rejectedPath, { throwIfNoEntry: false })?.size ?? 0;
  }
}
